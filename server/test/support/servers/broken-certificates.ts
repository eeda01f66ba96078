/**
 * Creates certificates for a receiver on 127.0.0.1, each with one defect. openssl issues them under certificate
 * authorities that the sender trusts, so each certificate is rejected for its defect and not for an unknown issuer.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  key: string
  /** The certificate and its intermediate certificates. */
  cert: string
}

export interface Certificates {
  /** PEM file with the authorities, for NODE_EXTRA_CA_CERTS. */
  authoritiesFile: string
  good: Certificate
  /** Keyed by defect. */
  broken: Record<string, Certificate>
  remove: () => void
}

const ecKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
const host = 'subjectAltName=IP:127.0.0.1'
const caExtensions = ['basicConstraints=critical,CA:true', 'keyUsage=critical,keyCertSign']

interface Requested {
  extensions?: readonly string[]
  /** Key options of `openssl req`. */
  key?: readonly string[]
  /** Options of `openssl x509`, such as the digest. */
  options?: readonly string[]
}

export function createCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-certificates-'))
  const file = (name: string): string => join(folder, name)
  const openssl = (...args: string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const pem = (name: string): string => readFileSync(file(name), 'utf8')

  /** Creates a key and a certificate signing request. */
  function request(name: string, key: readonly string[] = ecKey): void {
    const out = ['-keyout', `${name}.key`, '-out', `${name}.csr`]
    openssl('req', ...key, '-nodes', ...out, '-subj', `/CN=${name}`)
  }

  function authority(name: string, key?: readonly string[]): void {
    request(name, key)
    writeFileSync(file(`${name}.ext`), caExtensions.join('\n'))
    const signed = ['-in', `${name}.csr`, '-signkey', `${name}.key`, '-out', `${name}.crt`]
    openssl('x509', '-req', ...signed, '-days', '2', '-extfile', `${name}.ext`)
  }

  let serial = 1
  function issue(
    name: string,
    issuer: string,
    { extensions = [host], key, options = [] }: Requested = {},
  ): void {
    request(name, key)
    writeFileSync(file(`${name}.ext`), extensions.join('\n'))
    const by = ['-CA', `${issuer}.crt`, '-CAkey', `${issuer}.key`, '-set_serial', String(++serial)]
    const out = ['-in', `${name}.csr`, '-out', `${name}.crt`, '-extfile', `${name}.ext`]
    openssl('x509', '-req', '-days', '2', ...by, ...out, ...options)
  }

  function certificate(name: string, ...chain: string[]): Certificate {
    return { key: pem(`${name}.key`), cert: [name, ...chain].map((part) => pem(`${part}.crt`)).join('') }
  }

  function issued(name: string, issuer: string, requested?: Requested): Certificate {
    issue(name, issuer, requested)
    return certificate(name)
  }

  /** Issues a certificate through an intermediate certificate. */
  function issuedBelow(name: string, between: string, extensions: readonly string[]): Certificate {
    issue(between, 'root', { extensions })
    issue(name, between)
    return certificate(name, between)
  }

  function notYetValid(): Certificate {
    request('not-yet-valid')
    writeFileSync(file('index.txt'), '')
    writeFileSync(file('serial'), '1000')
    writeFileSync(
      file('ca.cnf'),
      `[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nnew_certs_dir=.\nserial=serial\npolicy=any\ndefault_md=sha256\n[any]\ncommonName=supplied\n`,
    )
    writeFileSync(file('not-yet-valid.ext'), host)
    const by = [
      '-config',
      'ca.cnf',
      '-cert',
      'root.crt',
      '-keyfile',
      'root.key',
      '-extfile',
      'not-yet-valid.ext',
    ]
    const dates = ['-startdate', '20990101000000Z', '-enddate', '21000101000000Z']
    openssl(
      'ca',
      '-batch',
      '-notext',
      ...by,
      ...dates,
      '-in',
      'not-yet-valid.csr',
      '-out',
      'not-yet-valid.crt',
    )
    return certificate('not-yet-valid')
  }

  authority('root')
  authority('rsa-root', ['-newkey', 'rsa:2048'])
  authority('unknown-root')
  writeFileSync(file('authorities.pem'), pem('root.crt') + pem('rsa-root.crt'))

  issue('limited', 'root', {
    extensions: ['basicConstraints=critical,CA:true,pathlen:0', 'keyUsage=keyCertSign'],
  })
  issue('below-limited', 'limited', { extensions: caExtensions })
  issue('too-deep', 'below-limited')

  return {
    authoritiesFile: file('authorities.pem'),
    good: issued('good', 'root'),
    broken: {
      expired: issued('expired', 'root', { options: ['-days', '-1'] }),
      'not yet valid': notYetValid(),
      'for another name': issued('other-name', 'root', { extensions: ['subjectAltName=DNS:other.example'] }),
      'for another IP address': issued('other-ip', 'root', { extensions: ['subjectAltName=IP:127.0.0.2'] }),
      'without a name': issued('no-name', 'root', { extensions: ['keyUsage=digitalSignature'] }),
      'self-signed': certificate('unknown-root'),
      'from an unknown authority': issued('unknown-issuer', 'unknown-root'),
      'with an RSA key of 512 bits': issued('rsa-512', 'root', { key: ['-newkey', 'rsa:512'] }),
      'with an RSA key of 1024 bits': issued('rsa-1024', 'root', { key: ['-newkey', 'rsa:1024'] }),
      'signed with MD5': issued('md5', 'rsa-root', { options: ['-md5'] }),
      'signed with SHA-1': issued('sha1', 'rsa-root', { options: ['-sha1'] }),
      'for signing certificates only': issued('wrong-usage', 'root', {
        extensions: [host, 'keyUsage=critical,keyCertSign'],
      }),
      'for clients only': issued('wrong-purpose', 'root', {
        extensions: [host, 'extendedKeyUsage=clientAuth'],
      }),
      'for signing code only': issued('code', 'root', { extensions: [host, 'extendedKeyUsage=codeSigning'] }),
      'from an issuer that is not an authority': issuedBelow('below-leaf', 'leaf-issuer', [
        'basicConstraints=critical,CA:false',
      ]),
      'from an issuer without the keyCertSign usage': issuedBelow('below-no-sign', 'no-sign', [
        'basicConstraints=critical,CA:true',
        'keyUsage=critical,digitalSignature',
      ]),
      'that exceeds the path length of its authority': certificate('too-deep', 'below-limited', 'limited'),
      'outside the name constraints of its issuer': issuedBelow('outside-names', 'limited-names', [
        ...caExtensions,
        'nameConstraints=critical,permitted;IP:10.0.0.0/255.0.0.0',
      ]),
      'with an unknown critical extension': issued('critical', 'root', {
        extensions: [host, '1.2.3.4.5.6=critical,DER:0500'],
      }),
      'without its intermediate certificate': issuedChainless(),
    },
    remove: () => rmSync(folder, { recursive: true }),
  }

  function issuedChainless(): Certificate {
    issue('between', 'root', { extensions: caExtensions })
    return issued('chainless', 'between')
  }
}
