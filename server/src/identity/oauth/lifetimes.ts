/** How long what an app is given is good for, in seconds. */

/** From the person's answer on; refreshing does not extend it, so access that nobody renews ends. */
export const grantDays = 90
export const grantSeconds = grantDays * 24 * 60 * 60

/** Short, though a token can be revoked at once: it is what ends up in logs and dumps. */
export const accessTokenSeconds = 60 * 60

/** An app redeems its code with its next request. */
export const codeSeconds = 60

/** Long enough to sign in with a second factor, and to find the phone first. */
export const interactionSeconds = 20 * 60
