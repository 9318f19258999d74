// Makes an API user on MTN's sandbox (or our simulator) and prints the variables that the worker takes.
//
//   MTN_MOMO_BASE_URL=https://sandbox.momodeveloper.mtn.com MTN_MOMO_SUBSCRIPTION_KEY=… \
//     node packages/rails/bin/provision-mtn-momo.mjs callbacks.example.com
import { randomUUID } from 'node:crypto'
import { provisionMtnMomo } from '../dist/mtn-momo/provision.js'

const [callbackHost] = process.argv.slice(2)
const { MTN_MOMO_BASE_URL: baseUrl, MTN_MOMO_SUBSCRIPTION_KEY: subscriptionKey } = process.env
if (!callbackHost || !baseUrl || !subscriptionKey) {
  console.error('Set MTN_MOMO_BASE_URL and MTN_MOMO_SUBSCRIPTION_KEY, and name the callback host.')
  process.exit(2)
}
const apiUser = randomUUID()
const outcome = await provisionMtnMomo({
  baseUrl: baseUrl.replace(/\/+$/, ''),
  subscriptionKey,
  apiUser,
  callbackHost,
})
if (outcome.kind === 'failed') {
  console.error(`Could not ${outcome.step}: ${outcome.detail}`)
  process.exit(1)
}
console.log(`MTN_MOMO_API_USER=${apiUser}`)
console.log(`MTN_MOMO_API_KEY=${outcome.apiKey}`)
console.log(`MTN_MOMO_TARGET_ENVIRONMENT=${outcome.targetEnvironment}`)
