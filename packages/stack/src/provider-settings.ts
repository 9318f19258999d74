import { createHash } from 'node:crypto'
import type { Secrets } from './secrets'

/**
 * The short code of the business that is paid. Any five to seven digits would do, as the simulator is given the same.
 */
export const mpesaShortcode = '600100'

/** The business number of Kenya's second cell. */
export const secondShortcode = '600200'

export function mpesa(secrets: Secrets): Record<string, string> {
  return {
    MPESA_CONSUMER_KEY: secrets.mpesaConsumerKey,
    MPESA_CONSUMER_SECRET: secrets.mpesaConsumerSecret,
    MPESA_SHORTCODE: mpesaShortcode,
    MPESA_PASSKEY: secrets.mpesaPasskey,
    MPESA_INITIATOR: 'malipo',
    // The simulator recognises the initiator by this value, as Safaricom does by the password that it decrypts.
    MPESA_SECURITY_CREDENTIAL: createHash('sha256').update(secrets.mpesaPasskey).digest('base64'),
  }
}

export function mtnMomo(secrets: Secrets): Record<string, string> {
  return {
    MTN_MOMO_SUBSCRIPTION_KEY: secrets.mtnMomoSubscriptionKey,
    MTN_MOMO_API_USER: secrets.mtnMomoApiUser,
    MTN_MOMO_API_KEY: secrets.mtnMomoApiKey,
    // The credentials of MTN's new platform, which have the characters of base64.
    MTN_MOMO_NEW_USER_ID: Buffer.from(secrets.mtnMomoApiUser).toString('base64'),
    MTN_MOMO_NEW_CREDENTIAL_TOKEN: createHash('sha256')
      .update(secrets.mtnMomoApiKey)
      .digest('base64'),
    MTN_MOMO_TARGET_ENVIRONMENT: 'mtnuganda',
  }
}

export function airtelMoney(secrets: Secrets): Record<string, string> {
  return {
    AIRTEL_CLIENT_ID: secrets.airtelClientId,
    AIRTEL_CLIENT_SECRET: secrets.airtelClientSecret,
    AIRTEL_CALLBACK_KEY: secrets.airtelCallbackKey,
  }
}

export function cardGateway(secrets: Secrets): Record<string, string> {
  return {
    CARD_API_VERSION: '100',
    CARD_MERCHANT_ID: 'TESTMALIPO',
    CARD_API_PASSWORD: secrets.cardApiPassword,
  }
}
