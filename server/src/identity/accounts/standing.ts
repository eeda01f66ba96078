/** What speaks for a caller before the password is checked. It decides which allowance and which share of hashing count. */
export type Standing =
  /** The browser is signed in, and the password is asked again. */
  | { kind: 'session'; loginId: number }
  /** The browser has signed in with this login before: it has a device cookie. */
  | { kind: 'device'; loginId: number; deviceId: string }
  /** This login has signed in from this network before. */
  | { kind: 'network'; loginId: number }
  | { kind: 'stranger' }
