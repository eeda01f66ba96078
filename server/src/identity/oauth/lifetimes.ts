/** Lifetimes of grants, tokens, codes and authorization requests. */

/** Starts with the consent. Refresh tokens do not extend it, so access ends without a new consent. */
export const grantDays = 90
export const grantSeconds = grantDays * 24 * 60 * 60

/** Short despite immediate revocation, because access tokens leak into logs and dumps. */
export const accessTokenSeconds = 60 * 60

/** Short, because an app redeems its code right away. */
export const codeSeconds = 60

/** Enough time to sign in with two-factor authentication. */
export const interactionSeconds = 20 * 60
