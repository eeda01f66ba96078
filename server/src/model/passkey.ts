/** Options of WebAuthn as JSON, as `PublicKeyCredential.parseRequestOptionsFromJSON()` and its counterpart read them. */

export const passkeyTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

export type PasskeyTransport = (typeof passkeyTransports)[number]

export interface PasskeyDescriptor {
  id: string
  type: 'public-key'
  transports: PasskeyTransport[]
}

export interface PasskeyRequestOptions {
  challenge: string
  rpId: string
  timeout: number
  userVerification: 'required'
  /** Passkeys of the login. Empty at a sign-in, where the authenticator offers its own. */
  allowCredentials: PasskeyDescriptor[]
}

export interface PasskeyCreationOptions {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: Array<{ type: 'public-key'; alg: number }>
  timeout: number
  attestation: 'none'
  authenticatorSelection: { residentKey: 'required'; requireResidentKey: true; userVerification: 'required' }
  excludeCredentials: PasskeyDescriptor[]
}
