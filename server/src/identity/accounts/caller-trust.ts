/** Trust in a caller before the password is checked. Selects the allowance and the share of the hash queue. */
export type CallerTrust =
  /** The browser has a session, and the password is verified again. */
  | { kind: 'session'; loginId: number; ssoAccountId?: number | undefined }
  /** The browser has a device cookie of an earlier sign-in with this login. */
  | { kind: 'device'; loginId: number; deviceId: string }
  /** The login signed in from this network before. */
  | { kind: 'network'; loginId: number }
  | { kind: 'anonymous' }
