import { constants, createPublicKey, publicEncrypt, X509Certificate } from 'node:crypto'

/** The first byte of a certificate in DER, the form that is not text. */
const derSequence = 0x30

/**
 * The SecurityCredential of an operator: the password, encrypted by RSA with the padding of PKCS #1 for Safaricom's
 * certificate (or its public key; PEM or DER), in base64. Throws when the file is neither, or the certificate has
 * ended.
 */
export function encryptCredential(password: string, file: Uint8Array, nowMs: number): string {
  const key = { key: publicKeyOf(file, nowMs), padding: constants.RSA_PKCS1_PADDING }
  return publicEncrypt(key, Buffer.from(password)).toString('base64')
}

function publicKeyOf(file: Uint8Array, nowMs: number) {
  const text = Buffer.from(file).toString('latin1')
  if (text.includes('-----BEGIN PUBLIC KEY-----')) return createPublicKey(text)
  const isCertificate = text.includes('-----BEGIN CERTIFICATE-----') || file[0] === derSequence
  if (!isCertificate) {
    throw new Error(
      "This file is no certificate: take ProductionCertificate.cer from Safaricom's portal",
    )
  }
  const { publicKey, validTo } = new X509Certificate(file)
  if (Date.parse(validTo) <= nowMs) {
    throw new Error(`This certificate ended on ${validTo}: take the present one from the portal`)
  }
  return publicKey
}
