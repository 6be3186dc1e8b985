// Tests that repeat themselves for many lessons, networks, sizes or themes do so for a few that show every kind of
// thing; with DCUBE_THOROUGH set they do it for all.
export const thorough = Boolean(process.env.DCUBE_THOROUGH);

/** All in a thorough run, a few in others. */
export const some = (all, few) => (thorough ? all : few);
