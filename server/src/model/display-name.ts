/** Names and descriptions that users enter: without control characters and bidirectional overrides. */

/** Names of accounts, keys and apps. */
export const displayName = /^[^\p{Cc}\u202a-\u202e\u2066-\u2069]{1,100}$/u

/** Names of hooks: one line, which PostgreSQL can store. */
export const hookName = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]{1,200}$/u

/** Descriptions of hooks: also with line feeds. */
export const hookDescription = /^(?:\n|[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]){1,1000}$/u
