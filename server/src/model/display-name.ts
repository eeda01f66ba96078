/** Names of accounts, keys and apps: without control characters and bidirectional overrides. */
export const displayName = /^[^\p{Cc}\u202a-\u202e\u2066-\u2069]{1,100}$/u
