import { namesProviderOrBank } from './impersonation'
import { mixesScripts } from './scripts'

test.each([
  'Safaricom PLC',
  'safarlcom',
  'Safar1com',
  'SAFARICOM',
  'Ｓａｆａｒｉｃｏｍ',
  'Šafaricom',
  'ѕаfаrісоm',
  'MTN-Uganda',
  'mtn256',
  'M T N',
  'm-pesa',
  'M.A.L.I.P.O',
  'rnalipo',
  'Malipo Payments',
  'lipa.na.mpesa',
  'kcb-bank',
  'K.C.B',
  'КСВ',
  'Equity Bank',
  'airte1',
  'Visa',
  '5afaricom',
  'S4faricom',
  '$afaricom',
  'S@faricom',
  'm-p3sa',
  'M-P€SA',
  'VI5A',
  'ᴍ-ᴘᴇꜱᴀ',
  '🅼🅿🅴🆂🅰',
  '🅜🅟🅔🅢🅐',
  'kcbpay',
  'mtnug',
  'MTN1',
  'mtnpayments',
  'mtnrefundsug',
  'KCBGroup',
  'KCBKenya',
  'M|PESA',
  'M+PESA',
  'M=P=E=S=A',
  'StanChart',
  'I and M Bank',
  'Kenya Revenue Authority',
  'Access Bank Uganda',
  'Chase Bank',
  'Bank of Baroda',
  'PayPal',
  'Western Union',
  'Pesapal',
])('%s has the name of a provider or a bank in it', (name) => {
  expect(namesProviderOrBank(name)).toBe(true)
})

test.each([
  'Mama Mboga Fresh',
  'mama-mboga',
  'Kiosk 7',
  'Televisa',
  '4x4 Garage 24/7',
  'Studio 54 + Bar',
  'Kisumu 3Kings',
  'Momona Crafts',
  'Kraft Foods',
  'Chez Élodie',
  'Wanjiku Crafts',
  'pay-0123456789ab',
  'food bank Nairobi',
  'Ural Motors',
  'Visagroove',
  'Coop & Sons',
  'West Bank Traders',
  'Mtngear1',
  'ኢትዮጵያ ቡና',
  'دكان',
  '☕',
])('%s is the name of a business', (name) => {
  expect(namesProviderOrBank(name)).toBe(false)
})

test.each(['Mаma', 'Safarіcom', 'Ελενα Shop', 'Шоp'])('%s mixes alphabets', (name) => {
  expect(mixesScripts(name)).toBe(true)
})

test.each(['Mama Mboga', 'Chez Élodie', 'Шоп 7', '東京 Coffee', 'ኢትዮጵያ', '☕ 24/7', '한국 Mart'])(
  '%s is written in one alphabet',
  (name) => {
    expect(mixesScripts(name)).toBe(false)
  },
)
