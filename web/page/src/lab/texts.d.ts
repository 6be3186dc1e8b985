// Texts that build/make.mjs puts into the script.
declare module "lab:*" {
  const text: string;
  export default text;
}
declare module "*.js" {
  const text: string;
  export default text;
}
