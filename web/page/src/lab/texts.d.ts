// Texts that build/make.mjs puts into the script.
declare module "lab:cell" {
  const text: string;
  export default text;
}
declare module "lab:worker" {
  const text: string;
  export default text;
}
declare module "lab:style" {
  const text: string;
  export default text;
}
declare module "lab:notice" {
  const text: string;
  export default text;
}
declare module "*.js" {
  const text: string;
  export default text;
}
