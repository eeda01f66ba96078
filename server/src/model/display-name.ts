/**
 * Names and descriptions that users enter. Names have no control and formatting characters, which could hide or reverse
 * text, except the joiners of scripts and emoji. All texts have a character that can be seen.
 */

/** Names of accounts, keys and apps. */
export const displayName =
  /^(?=.*[^\p{Z}\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800])(?:[^\p{Cc}\p{Cf}]|\u200c|\u200d){1,100}$/u

/** Names of hooks: one line, which PostgreSQL can store. */
export const hookName =
  /^(?=.*[^\p{Z}\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800])(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\u200c|\u200d){1,200}$/u

/** Descriptions of hooks: with line feeds, and all formatting characters except bidirectional overrides. */
export const hookDescription =
  /^(?=[^]*[^\s\p{Z}\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800])(?:\n|[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]){1,1000}$/u

/** What the patterns require beside a length, for error messages. */
export const nameRule = 'visible text without control or formatting characters'
export const descriptionRule = 'visible text without control characters or bidirectional overrides'
