/**
 * Loads the library for WebAuthn when it is first needed. In a bundle, the decorators of one of its dependencies would run
 * before the polyfill that they need, so the polyfill is loaded first.
 */
export async function loadLibrary() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server')
}

export async function loadHelpers() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server/helpers')
}
