import { randomBytes } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import { systemClock, type Clock } from '@malipo/runtime/clock'
import { serveHealth } from '@malipo/runtime/health'
import { serveHttp } from '@malipo/runtime/http'
import type { Log } from '@malipo/runtime/log'
import { Opened, type Started } from '@malipo/runtime/process'
import express from 'express'
import { openDelivery } from './wire/deliver'
import type { Config } from './config'
import { capacityOf } from './sessions/rules/capacity'
import { controlApi } from './control-api/control-api'
import { presentProblem, refusePath } from './control-api/send-answer'
import { sessionMiddleware } from './wire/session-middleware'
import { wireMiddleware } from './wire/wire-middleware'
import { railMakersOf } from './providers/makers'
import { openSessions } from './sessions/sessions'
import { openSearchFor } from './pages/find-checkout'
import { hostedPages } from './pages/hosted-pages'
import { simPage } from './pages/sim-page'
import { openSpillFile } from './book/spill-file'

export async function start(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
): Promise<Started> {
  const opened = new Opened(log)
  const delivery = openDelivery(clock)
  opened.add('delivery', () => {
    delivery.stop()
    return undefined
  })
  const sessions = openSessions(
    {
      clock,
      capacity: capacityOf(getHeapStatistics().heap_size_limit),
      deliver: delivery.deliver,
      railMakers: railMakersOf(config),
      newSeed,
      openSpill: openSpillFile,
      profile: config.profile,
    },
    config.seed ?? newSeed(),
  )
  opened.add('sessions', () => {
    sessions.stop()
    return undefined
  })

  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.use(sessionMiddleware(sessions), wireMiddleware(sessions, log))
  app.use('/sim/v1', controlApi(sessions))
  app.use(hostedPages(sessions))
  app.use(simPage(sessions, openSearchFor(config.paymentsUrls)), refusePath, presentProblem(log))
  const public_ = await serveHttp({ host: config.host, port: config.port, handler: app })
  opened.add('http', public_.stop)
  const health = await serveHealth({ host: config.host, port: config.adminPort, checks: {} })
  opened.add('health', health.stop)
  log.warn({ seed: sessions.home.current().world.seed }, 'this is a simulator: no money moves here')
  return {
    ports: { http: public_.port, admin: health.port },
    stop: () => opened.closeAll(),
  }
}

function newSeed(): string {
  return randomBytes(6).toString('hex')
}
