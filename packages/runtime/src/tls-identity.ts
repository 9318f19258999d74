import { type ChannelCredentials, experimental, type ServerCredentials } from '@grpc/grpc-js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { z } from 'zod'
import type { Log } from './log'

/** The file names of a Kubernetes TLS secret, as cert-manager fills it. */
export const identityFiles = {
  certificate: 'tls.crt',
  privateKey: 'tls.key',
  ca: 'ca.crt',
} as const

/**
 * A setting: the folder with a process's certificate and key, and the certificate of the authority that signed all of
 * them.
 */
export const identityDir = z
  .string()
  .min(1, `must be a folder with ${Object.values(identityFiles).join(', ')}`)

/** How often renewed certificates are looked for. cert-manager renews them weeks before they expire. */
const rereadMs = 60_000

/** The TLS identity of this process, as a server and as a client. */
export interface TlsIdentity {
  readonly server: ServerCredentials
  readonly channel: ChannelCredentials
}

/**
 * Reads the TLS identity of this process from a folder. Later connections use renewed files without a restart. Throws
 * when the files are missing or do not match.
 */
export function openTlsIdentity(dir: string, log: Log): TlsIdentity {
  const provider = new FolderCertificates(dir, log)
  return {
    server: experimental.createCertificateProviderServerCredentials(provider, provider, true),
    channel: experimental.createCertificateProviderChannelCredentials(provider, provider),
  }
}

type CaListener = experimental.CaCertificateUpdateListener
type IdentityListener = experimental.IdentityCertificateUpdateListener

/**
 * Notifies listeners of complete pairs only: grpc-js' own watcher closes the server when it reads between two renewed
 * files.
 */
class FolderCertificates implements experimental.CertificateProvider {
  readonly #caListeners = new Set<CaListener>()
  readonly #identityListeners = new Set<IdentityListener>()
  readonly #dir: string
  readonly #log: Log
  #current: ReturnType<typeof readFolder>
  #timer: NodeJS.Timeout | undefined

  constructor(dir: string, log: Log) {
    this.#dir = dir
    this.#log = log
    try {
      this.#current = readFolder(dir)
    } catch (error) {
      const files = Object.values(identityFiles).join(', ')
      throw new Error(`TLS_DIR ${dir} must hold ${files} of one process. ${String(error)}`, {
        cause: error,
      })
    }
  }

  addCaCertificateListener(listener: CaListener): void {
    this.#caListeners.add(listener)
    this.#watch()
    // The listener is called at the next tick, because grpc-js has not yet begun to watch its own credentials.
    process.nextTick(listener, this.#current.ca)
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.#caListeners.delete(listener)
    this.#watch()
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.add(listener)
    this.#watch()
    process.nextTick(listener, this.#current.identity)
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.delete(listener)
    this.#watch()
  }

  #watch(): void {
    const isUsed = this.#caListeners.size + this.#identityListeners.size > 0
    if (isUsed === (this.#timer !== undefined)) return
    clearInterval(this.#timer)
    this.#timer = isUsed
      ? setInterval(() => {
          this.#reread()
        }, rereadMs).unref()
      : undefined
  }

  #reread(): void {
    try {
      const read = readFolder(this.#dir)
      if (read.text === this.#current.text) return
      this.#current = read
      for (const listener of this.#caListeners) listener(read.ca)
      for (const listener of this.#identityListeners) listener(read.identity)
      this.#log.info('renewed certificates are in use')
    } catch (error) {
      this.#log.warn({ error }, 'renewed certificates are not usable; the last ones stay in use')
    }
  }
}

function readFolder(dir: string) {
  const read = (name: string) => readFileSync(join(dir, name))
  const certificate = read(identityFiles.certificate)
  const privateKey = read(identityFiles.privateKey)
  const caCertificate = read(identityFiles.ca)
  // Throws when key and certificate do not match.
  createSecureContext({ cert: certificate, key: privateKey, ca: caCertificate })
  return {
    ca: { caCertificate },
    identity: { certificate, privateKey },
    text: [certificate, privateKey, caCertificate].join('\n'),
  }
}
