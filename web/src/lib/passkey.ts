/** Passkeys of the browser and its authenticators. The library is loaded when one is used. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { loadChunk } from './load-chunk.ts'

/** The browser or the authenticator made no response, for example because the user canceled. */
export class PasskeyError extends Error {}

/** Browsers accept no passkeys for IP addresses, and offer the API only with https or on this machine. */
export function supportsPasskeys(): boolean {
  const isAddress = /^[\d.]+$|:/.test(location.hostname)
  return !isAddress && 'PublicKeyCredential' in globalThis
}

export function createPasskey(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON> {
  return respond(async () => (await loadLibrary()).startRegistration({ optionsJSON }))
}

export function getPasskey(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  return respond(async () => (await loadLibrary()).startAuthentication({ optionsJSON }))
}

function loadLibrary() {
  return loadChunk(() => import('@simplewebauthn/browser'))
}

async function respond<Response>(start: () => Promise<Response>): Promise<Response> {
  try {
    return await start()
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    throw name in errorTexts ? new PasskeyError(errorTexts[name]) : error
  }
}

/** By the names that WebAuthn gives them. `NotAllowedError` also means that no passkey fits, so that pages cannot tell. */
const errorTexts: Record<string, string> = {
  AbortError: 'Passkey request canceled',
  InvalidStateError: 'This device already has a passkey for your login',
  NotAllowedError: 'Passkey request canceled or timed out',
  NotSupportedError: 'This device cannot create a passkey that Hookline accepts',
  SecurityError: 'This browser accepts no passkeys for this site',
}
