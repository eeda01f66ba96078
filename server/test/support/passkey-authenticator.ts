/**
 * A passkey authenticator with a browser, implemented from WebAuthn Level 2, RFC 8949 and RFC 9052 and independent of the
 * service's code. Each part of a response can be wrong, for attacks.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface RequestOptions {
  challenge: string
  allowCredentials?: Array<{ id: string }>
}

interface CreationOptions extends RequestOptions {
  user: { id: string }
}

/** Parts that differ from those of an honest browser and authenticator. */
export interface Forgery {
  origin?: string
  rpId?: string
  type?: string
  challenge?: unknown
  counter?: number
  userVerified?: boolean
  userPresent?: boolean
  userHandle?: string | undefined
  credentialId?: Buffer
  /** Public key of the registration, in place of the one for P-256. */
  publicKey?: ReadonlyMap<number, number | Buffer>
  /** Signs with another key. */
  privateKey?: KeyObject
  /** Format and statement of the attestation. */
  attestation?: { format: string; statement: Array<[string, Cbor]> }
}

export interface Passkey {
  credentialId: Buffer
  privateKey: KeyObject
  userHandle: string
  /** Signatures so far. An authenticator that does not count leaves 0. */
  counter: number
}

type Cbor = number | string | Buffer | Cbor[] | Map<number | string, Cbor>

const flags = { userPresent: 1, userVerified: 4, backupEligible: 8, backedUp: 16, attested: 64 }

export function createAuthenticator(pageUrl: string) {
  const page = new URL(pageUrl)

  const clientData = (type: string, { challenge }: RequestOptions, forged: Forgery): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: forged.type ?? type,
        challenge: forged.challenge ?? challenge,
        origin: forged.origin ?? page.origin,
        crossOrigin: false,
      }),
    )

  const authenticatorData = (counter: number, forged: Forgery, attested?: Buffer): Buffer => {
    const rpIdHash = createHash('sha256')
      .update(forged.rpId ?? page.hostname)
      .digest()
    const set =
      flags.backupEligible +
      flags.backedUp +
      (forged.userPresent === false ? 0 : flags.userPresent) +
      (forged.userVerified === false ? 0 : flags.userVerified) +
      (attested === undefined ? 0 : flags.attested)
    const signCount = Buffer.alloc(4)
    signCount.writeUInt32BE(forged.counter ?? counter)
    return Buffer.concat([rpIdHash, Buffer.of(set), signCount, attested ?? Buffer.alloc(0)])
  }

  return {
    /** Creates a passkey. `registration` is the response for the service. */
    create(options: CreationOptions, forged: Forgery = {}) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const credentialId = forged.credentialId ?? randomBytes(32)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const key = forged.publicKey === undefined ? coseKey(publicKey) : encode(new Map(forged.publicKey))
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, key])
      const { format, statement } = forged.attestation ?? { format: 'none', statement: [] }
      const attestationObject = encode(
        new Map<string, Cbor>([
          ['fmt', format],
          ['attStmt', new Map(statement)],
          ['authData', authenticatorData(0, forged, attested)],
        ]),
      )
      const id = credentialId.toString('base64url')
      const passkey: Passkey = { credentialId, privateKey, userHandle: options.user.id, counter: 0 }
      const registration = {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', options, forged).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
      }
      return { passkey, registration }
    },

    /** Signs a challenge with a passkey. */
    get(options: RequestOptions, passkey: Passkey, forged: Forgery = {}) {
      const clientDataJson = clientData('webauthn.get', options, forged)
      const data = authenticatorData(passkey.counter, forged)
      const signed = Buffer.concat([data, createHash('sha256').update(clientDataJson).digest()])
      const id = (forged.credentialId ?? passkey.credentialId).toString('base64url')
      const userHandle = 'userHandle' in forged ? forged.userHandle : passkey.userHandle
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientDataJson.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, forged.privateKey ?? passkey.privateKey).toString('base64url'),
          ...(userHandle !== undefined && { userHandle }),
        },
        clientExtensionResults: {},
      }
    },
  }
}

/** ES256: key type 2, algorithm −7, curve 1. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return encode(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap((entry) => entry.map(encode))])
}

function head(majorType: number, argument: number): Buffer {
  if (argument < 24) return Buffer.of(majorType * 32 + argument)
  if (argument < 256) return Buffer.of(majorType * 32 + 24, argument)
  const bytes = Buffer.alloc(3)
  bytes.writeUInt8(majorType * 32 + 25)
  bytes.writeUInt16BE(argument, 1)
  return bytes
}
