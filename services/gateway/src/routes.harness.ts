import { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { adminPaths } from '@malipo/runtime/health'
import express from 'express'

/** A route as it was registered: `GET /sim/v1/phones/:msisdn`. */
export interface Route {
  readonly method: string
  readonly path: string
}

/** What all apps that start in this process register, and where they listen. */
export interface RegisteredRoutes {
  routes(): Route[]
  /** `http://127.0.0.1:port`, of every listener there is. */
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

/** More than any route of ours has, and fewer than HTTP. */
const methodsOfRoute = 8

/** Begin before anything starts. Nothing has to be named here for a new route or a new listener to be found. */
export function watchRoutes(): RegisteredRoutes {
  // Every app and every router of Express ends here; `use` tells where one hangs in another.
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
        // `all` is how an app refuses the methods that a route of its own does not have.
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
