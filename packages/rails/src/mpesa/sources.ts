/**
 * The addresses that Safaricom publishes as the source of callbacks ("GettingStarted" page, read 8 August 2026;
 * README.md). Callbacks carry no signature, so the source address is a part of their evidence.
 */
export const mpesaSources: readonly string[] = [
  '196.201.214.200',
  '196.201.214.206',
  '196.201.214.207',
  '196.201.214.208',
  '196.201.213.114',
  '196.201.213.44',
  '196.201.212.127',
  '196.201.212.129',
  '196.201.212.136',
  '196.201.212.138',
  '196.201.212.69',
  '196.201.212.74',
]
