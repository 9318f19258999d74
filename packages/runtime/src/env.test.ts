import { z } from 'zod'
import { port, readEnvironment, settings, whole } from './env'

const environment = settings({
  port: ['PORT', port],
  hub: { url: ['HUB_URL', z.url()], name: ['HUB_NAME', z.string().optional()] },
}).refine(({ hub }) => hub.name !== 'reserved', { path: ['HUB_NAME'], message: 'is reserved' })

test('reads each variable under its name in code, and leaves all others out', () => {
  const read = readEnvironment(environment, {
    PORT: '80',
    HUB_URL: 'https://hub.example',
    HOME: '/',
  })
  expect(read).toEqual({ port: 80, hub: { url: 'https://hub.example', name: undefined } })
})

test('reports a contradiction beside an invalid value, each by its variable', () => {
  const broken = { PORT: '80', HUB_URL: 'hub', HUB_NAME: 'reserved' }
  expect(() => readEnvironment(environment, broken)).toThrow(/HUB_URL[^]*HUB_NAME: is reserved/)
})

test('a group of settings is undefined while a setting that it needs is not set', () => {
  const group: { url: string | undefined; name: string | undefined } = { url: 'u', name: undefined }
  expect(whole(group, ['url'])).toEqual(group)
  expect(whole(group, ['url', 'name'])).toBeUndefined()
})
