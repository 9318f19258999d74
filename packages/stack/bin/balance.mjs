// The balancer of `npm start -- --replicas 2`: balance.mjs 4100=4102,4104 4101=4103,4105
import { once } from 'node:events'
import process from 'node:process'
import { openBalancer } from '../dist/replicas/balancer.js'
import { askedToStop, onProgress, runToTheEnd } from './run-to-the-end.mjs'

async function main() {
  const signal = askedToStop()
  const routes = process.argv.slice(2).map((route) => {
    const [port, backs] = route.split('=')
    return { port: Number(port), backs: backs.split(',').map(Number) }
  })
  const balancer = await openBalancer({ host: '127.0.0.1', routes, onProgress })
  if (!signal.aborted) await once(signal, 'abort')
  await balancer.stop()
}

runToTheEnd(main)
