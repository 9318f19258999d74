import { settingProblems } from './setting-problems'

const kenya = {
  MPESA_BASE_URL: 'https://api.safaricom.co.ke',
  MPESA_SHORTCODE: '600100',
  MPESA_PASSKEY: 'a passkey',
  MPESA_SECURITY_CREDENTIAL: Buffer.alloc(256, 7).toString('base64'),
  CALLBACK_BASE_URL: 'https://callbacks.example.com',
  KEY_MODE: 'live',
}
const uganda = {
  MTN_MOMO_BASE_URL: 'https://proxy.momoapi.mtn.com',
  MTN_MOMO_NEW_BASE_URL: 'https://momoapi.momo.africa',
  MTN_MOMO_TARGET_ENVIRONMENT: 'mtnuganda',
  AIRTEL_BASE_URL: 'https://openapi.airtel.ug',
  COUNTRY: 'UG',
  CARD_BASE_URL: 'https://ap-gateway.mastercard.com',
  CARD_MERCHANT_ID: 'MALIPO',
  CALLBACK_BASE_URL: 'https://callbacks.example.com',
  KEY_MODE: 'live',
}
const simulated = {
  MPESA_BASE_URL: 'http://127.0.0.1:4050',
  MPESA_SHORTCODE: '174379',
  MPESA_SECURITY_CREDENTIAL: 'bWFsaXBv',
  MTN_MOMO_BASE_URL: 'http://127.0.0.1:4050',
  MTN_MOMO_NEW_BASE_URL: 'http://127.0.0.1:4050/mtn-new',
  MTN_MOMO_TARGET_ENVIRONMENT: 'mtnuganda',
  AIRTEL_BASE_URL: 'http://127.0.0.1:4050',
  CARD_BASE_URL: 'http://127.0.0.1:4050',
  CARD_MERCHANT_ID: 'TESTMALIPO',
  CALLBACK_BASE_URL: 'http://127.0.0.1:4101',
}
const sandbox = {
  MPESA_BASE_URL: 'https://sandbox.safaricom.co.ke',
  MPESA_SHORTCODE: '174379',
  MTN_MOMO_BASE_URL: 'https://sandbox.momodeveloper.mtn.com',
  MTN_MOMO_TARGET_ENVIRONMENT: 'sandbox',
  AIRTEL_BASE_URL: 'https://openapiuat.airtel.ug/simulate',
  CALLBACK_BASE_URL: 'https://callbacks.example.com',
}

test.each([
  ['Kenya in production', kenya],
  ['Uganda in production', uganda],
  ['production hosts with test keys, as in staging', { ...uganda, KEY_MODE: 'test' }],
  ['Airtel in Kenya', { ...kenya, COUNTRY: 'ke', AIRTEL_BASE_URL: 'https://openapi.airtel.co.ke' }],
  ['a simulator', simulated],
  ['the sandboxes', sandbox],
  ['a till', { ...kenya, MPESA_TILL: '832456', C2B_PATH_SECRET: 'ab'.repeat(16) }],
  [
    'Airtel where its countries have no hosts',
    { ...uganda, AIRTEL_BASE_URL: 'https://openapi.airtel.africa' },
  ],
  ['no rail at all', {}],
])('takes the settings of %s', (_, environment) => {
  expect(settingProblems(environment)).toEqual([])
})

const sandboxPasskey = 'bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919'

test.each([
  [
    'a sandbox host with live keys',
    { ...kenya, MPESA_BASE_URL: 'https://sandbox.safaricom.co.ke' },
    'MPESA_BASE_URL',
    'set https://api.safaricom.co.ke',
  ],
  [
    'a simulator with live keys',
    { ...uganda, AIRTEL_BASE_URL: 'https://simulator.example' },
    'AIRTEL_BASE_URL',
    'no host of Airtel',
  ],
  [
    'a provider over http',
    { ...kenya, MPESA_BASE_URL: 'http://api.safaricom.co.ke' },
    'MPESA_BASE_URL',
    'must be https',
  ],
  [
    'a host with a path',
    { ...kenya, MPESA_BASE_URL: 'https://api.safaricom.co.ke/mpesa' },
    'MPESA_BASE_URL',
    'without a path',
  ],
  [
    "the sandbox's short code in production",
    { ...kenya, MPESA_SHORTCODE: '174379' },
    'MPESA_SHORTCODE',
    'Pay Bill number',
  ],
  [
    "the sandbox's passkey in production",
    { ...kenya, MPESA_PASSKEY: sandboxPasskey },
    'MPESA_PASSKEY',
    'when you went live',
  ],
  [
    'a till whose statement no worker would read',
    { ...simulated, MPESA_TILL: '832456' },
    'C2B_PATH_SECRET',
    "set the gateway's",
  ],
  [
    'a clear-text operator password',
    { ...kenya, MPESA_SECURITY_CREDENTIAL: 'Safaricom999!' },
    'MPESA_SECURITY_CREDENTIAL',
    'encrypted with Safaricom',
  ],
  [
    'the target sandbox on a production host',
    { ...uganda, MTN_MOMO_TARGET_ENVIRONMENT: 'sandbox' },
    'MTN_MOMO_TARGET_ENVIRONMENT',
    'set mtnuganda',
  ],
  [
    'the target mtnuganda on the sandbox',
    { ...sandbox, MTN_MOMO_TARGET_ENVIRONMENT: 'mtnuganda' },
    'MTN_MOMO_TARGET_ENVIRONMENT',
    'set sandbox',
  ],
  [
    "MTN's new platform as the old",
    {
      ...uganda,
      KEY_MODE: 'test',
      MTN_MOMO_NEW_BASE_URL: '',
      MTN_MOMO_BASE_URL: 'https://momoapi.momo.africa',
    },
    'MTN_MOMO_BASE_URL',
    'set MTN_MOMO_NEW_BASE_URL',
  ],
  [
    "MTN's new platform as the old, beside the new",
    { ...uganda, KEY_MODE: 'test', MTN_MOMO_BASE_URL: 'https://momoapi.momo.africa' },
    'MTN_MOMO_BASE_URL',
    'set https://proxy.momoapi.mtn.com',
  ],
  [
    "a bank's card host over http with live keys",
    { ...uganda, CARD_BASE_URL: 'http://gateway.examplebank.co.ke' },
    'CARD_BASE_URL',
    'must be https',
  ],
  [
    "a bank's card host with a path",
    { ...uganda, CARD_BASE_URL: 'https://gateway.examplebank.co.ke/api/rest/version/100' },
    'CARD_BASE_URL',
    'without a path',
  ],
  [
    'one host for both platforms of MTN',
    { ...simulated, MTN_MOMO_NEW_BASE_URL: simulated.MTN_MOMO_BASE_URL },
    'MTN_MOMO_NEW_BASE_URL',
    'set the host of the new platform',
  ],
  [
    "the old platform's key as the new one's token",
    { ...uganda, MTN_MOMO_API_KEY: 'a', MTN_MOMO_NEW_CREDENTIAL_TOKEN: 'a' },
    'MTN_MOMO_NEW_CREDENTIAL_TOKEN',
    'create System Credentials in the partner portal',
  ],
  [
    'Airtel of another country',
    { ...uganda, COUNTRY: 'ug', AIRTEL_BASE_URL: 'https://openapi.airtel.co.tz' },
    'AIRTEL_BASE_URL',
    'set https://openapi.airtel.ug',
  ],
  [
    'Airtel over http',
    { ...uganda, KEY_MODE: 'test', AIRTEL_BASE_URL: 'http://openapi.airtel.ug' },
    'AIRTEL_BASE_URL',
    'must be https',
  ],
  [
    'Airtel Uganda in Kenya',
    { ...kenya, COUNTRY: 'ke', AIRTEL_BASE_URL: 'https://openapi.airtel.ug' },
    'AIRTEL_BASE_URL',
    'set https://openapi.airtel.co.ke',
  ],
  [
    "the sandbox of Airtel at a call's path",
    { ...sandbox, AIRTEL_BASE_URL: 'https://openapiuat.airtel.ug/merchant/v2/payments' },
    'AIRTEL_BASE_URL',
    'without a path',
  ],
  [
    "Airtel's client secret as the key of its callbacks",
    { ...uganda, AIRTEL_CLIENT_SECRET: 's', AIRTEL_CALLBACK_KEY: 's' },
    'AIRTEL_CALLBACK_KEY',
    'copy the key of callback authentication',
  ],
  [
    'a merchant for tests with live keys',
    { ...uganda, CARD_MERCHANT_ID: 'TESTMALIPO' },
    'CARD_MERCHANT_ID',
    'the real one',
  ],
  [
    'callbacks over http',
    { ...kenya, CALLBACK_BASE_URL: 'http://callbacks.example.com' },
    'CALLBACK_BASE_URL',
    'must be https',
  ],
  [
    'callbacks to this machine',
    { ...sandbox, CALLBACK_BASE_URL: 'https://localhost:8443' },
    'CALLBACK_BASE_URL',
    'a public host',
  ],
  [
    'a callback host with a word that Daraja refuses',
    { ...kenya, CALLBACK_BASE_URL: 'https://mpesa.example.com' },
    'CALLBACK_BASE_URL',
    'the word mpesa',
  ],
  [
    'a callback host with M-PESA as it is written',
    { ...kenya, CALLBACK_BASE_URL: 'https://M-Pesa.shop.co.ke' },
    'CALLBACK_BASE_URL',
    'the word m-pesa',
  ],
  [
    'a callback host that shows what it is sent',
    { ...kenya, CALLBACK_BASE_URL: 'https://shop.ngrok.app' },
    'CALLBACK_BASE_URL',
    'the word ngrok',
  ],
  [
    'a callback path with a word that Daraja refuses',
    { ...simulated, CALLBACK_BASE_URL: 'http://gateway/Safaricom' },
    'CALLBACK_BASE_URL',
    'the word safaricom',
  ],
])('refuses %s, and says what to do', (_, environment, variable, message) => {
  expect(settingProblems(environment)).toEqual([
    { variable, message: expect.stringContaining(message) as string },
  ])
})
