import { Fault } from '@malipo/kernel/errors'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { HandlerFactory, Operation } from './handler-factory'

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'options'
  readonly path: string
  readonly operation: Operation
  /** Wraps the operation of this route, when its faults are presented differently from those of the rest of the app. */
  readonly toHandler?: HandlerFactory
}

/**
 * An Express app with only what its routes need: no parsers, cookies or query. Paths are exact. A known path with
 * another method is a wrong request, any other path is unknown.
 */
export function openApp(toHandler: HandlerFactory, routes: readonly Route[]): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag').disable('query parser')
  app.enable('strict routing').enable('case sensitive routing')
  for (const { method, path, operation, toHandler: own = toHandler } of routes) {
    app[method](path, own(`${method} ${path}`, operation))
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
    app.all(path, toHandler('wrong method', refuseMethod(methods)))
  }
  app.use(toHandler('unknown path', refusePath))
  // Express itself throws in one case: a path that does not decode, such as /%ff.
  app.use((_error: unknown, request: Request, response: Response, next: NextFunction) => {
    toHandler('unreadable path', refuseEncoding)(request, response, next)
  })
  return app
}

const refuseEncoding = refusal('path', 'must be UTF-8')
const refusePath: Operation = () => Promise.reject(new Fault('route_not_found'))

/** The contract returns 400 1701 where HTTP has 405, with the `Allow` header of a 405. */
function refuseMethod(methods: readonly Route['method'][]): Operation {
  const names = methods.map((method) => method.toUpperCase())
  const refuse = refusal('method', `must be ${names.join(' or ')}`)
  return (request, response) => {
    response.setHeader('Allow', names.join(', '))
    return refuse(request, response)
  }
}

function refusal(path: string, message: string): Operation {
  return () =>
    Promise.reject(new Fault('invalid_request', {}, undefined, { fields: [{ path, message }] }))
}
