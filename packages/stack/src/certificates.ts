import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { join } from 'node:path'
import { identities, type Identity } from '@malipo/runtime/caller-identity'
import { identityFiles } from '@malipo/runtime/tls-identity'
import { writePrivateFile } from './private-file'

/** PEM texts, by the file names under which a process reads them. */
export type IdentityPems = Readonly<Record<keyof typeof identityFiles, string>>

/** Long, because certificates are not renewed: each `npm start` makes new ones. */
const lifeDays = 3_650

/**
 * Makes a certificate for every process under a new authority, whose private key is not kept, so that no further
 * identity can be made from what is on the disk. The certificates (P-256, X.509 v3) are written in DER by hand: Node
 * cannot make them, and a library in place of these 60 lines would bring twenty packages.
 */
function makeIdentities(now: Date): Readonly<Record<Identity, IdentityPems>> {
  const authority = { name: `malipo ${randomBytes(4).toString('hex')}`, ...makeKeys() }
  const ca = certificate(authority, authority, [basicConstraints], now)
  const made = identities.map((identity) => {
    const own = { name: identity, ...makeKeys() }
    const pems: IdentityPems = {
      certificate: certificate(own, authority, [dnsName(identity)], now),
      privateKey: String(own.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      ca,
    }
    return [identity, pems] as const
  })
  return Object.fromEntries(made) as Record<Identity, IdentityPems>
}

/** Makes a certificate of a host name on this machine, under a new authority whose private key is not kept. */
export function makeServerCertificate(hostName: string, now: Date): IdentityPems {
  const authority = { name: `malipo sandbox ${randomBytes(4).toString('hex')}`, ...makeKeys() }
  const own = { name: hostName, ...makeKeys() }
  return {
    certificate: certificate(own, authority, [dnsName(hostName)], now),
    privateKey: String(own.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ca: certificate(authority, authority, [basicConstraints], now),
  }
}

/** Where the identity of a process lies in the folder of a stack. */
export function identityDirOf(stackDir: string, identity: Identity): string {
  return join(stackDir, 'identities', identity)
}

/** Writes new identities below a folder, each in a separate folder that only its owner may read. */
export function writeIdentities(dir: string): void {
  for (const [identity, pems] of Object.entries(makeIdentities(new Date()))) {
    for (const [kind, name] of Object.entries(identityFiles)) {
      writePrivateFile(join(dir, identity, name), pems[kind as keyof typeof identityFiles])
    }
  }
}

interface Subject {
  readonly name: string
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

function makeKeys(): Pick<Subject, 'publicKey' | 'privateKey'> {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** A certificate in PEM, with the fields of RFC 5280, 4.1. */
function certificate(own: Subject, issuer: Subject, extensions: Buffer[], now: Date): string {
  const algorithm = sequence(oid(ecdsaWithSha256))
  const time = (days: number) => der(0x17, utcTime(new Date(now.getTime() + days * 86_400_000)))
  const publicKey = own.publicKey.export({ type: 'spki', format: 'der' })
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    algorithm,
    distinguishedName(issuer.name),
    sequence(time(-1), time(lifeDays)),
    distinguishedName(own.name),
    publicKey,
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, issuer.privateKey)
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = whole.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const ecdsaWithSha256 = '2a8648ce3d040302'
const commonName = '550403'
const subjectAltName = '551d11'
/** The basic constraints of an authority: critical, and true. */
const basicConstraints = sequence(
  oid('551d13'),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
)

function dnsName(name: string): Buffer {
  return sequence(oid(subjectAltName), der(0x04, sequence(der(0x82, Buffer.from(name)))))
}

function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid(commonName), der(0x0c, Buffer.from(name)))))
}

/** As `261122034500Z`. */
function utcTime(time: Date): Buffer {
  const digits = time.toISOString().replace(/\.\d+|[-:T]/g, '')
  return Buffer.from(digits.slice(2))
}

/** A value in DER: its tag, its length and its bytes. */
function der(tag: number, value: Buffer): Buffer {
  const { length } = value
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

/** The value has to be above zero and in its shortest form. */
function integer(value: Buffer): Buffer {
  return der(0x02, value)
}

function serialNumber(): Buffer {
  return Buffer.concat([Buffer.from([0x01]), randomBytes(15)])
}
