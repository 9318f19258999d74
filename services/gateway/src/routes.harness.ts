import { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { adminPaths } from '@malipo/runtime/health'
import express from 'express'

/** A registered route: `GET /sim/v1/phones/:msisdn`. */
export interface Route {
  readonly method: string
  readonly path: string
}

/** Records the routes and addresses of all apps that start in this process. */
export interface RegisteredRoutes {
  routes(): Route[]
  /** `http://127.0.0.1:port` of every listener. */
  listeners(): string[]
}

interface Registered {
  readonly path: string
  readonly methods: Readonly<Record<string, true>>
}

interface RouterLike {
  route(path: string): Registered
  use(...input: unknown[]): unknown
}

/** A route with more methods than this was registered by `all`. */
const methodsOfRoute = 8

/** Must run before anything starts. It finds routes and listeners by itself, so that no new one is left out. */
export function watchRoutes(): RegisteredRoutes {
  // Patches Express, where all apps and routers register; `use` shows how routers nest.
  const router = Reflect.get(express.Router, 'prototype') as RouterLike
  const route = jest.spyOn(router, 'route')
  const use = jest.spyOn(router, 'use')
  const listen = jest.spyOn(Server.prototype, 'listen')
  const prefixOf = (child: unknown) => {
    const [prefix] = use.mock.calls.find((input) => input.includes(child)) ?? []
    return typeof prefix === 'string' ? prefix : ''
  }
  return {
    routes: () => [
      ...route.mock.results.flatMap(({ value }, index) => {
        const { path, methods } = value as Registered
        const whole = prefixOf(route.mock.contexts[index]) + path
        // `all` is how an app refuses the other methods of a route.
        const all = Object.keys(methods)
        const known = all.length > methodsOfRoute ? [] : all
        return known.map((method) => ({ method: method.toUpperCase(), path: whole }))
      }),
      ...adminPaths.map((path) => ({ method: 'GET', path })),
    ],
    listeners: () =>
      listen.mock.contexts.map((server) => {
        const { port } = (server as Server).address() as AddressInfo
        return `http://127.0.0.1:${String(port)}`
      }),
  }
}
