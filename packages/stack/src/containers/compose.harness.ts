import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { repositoryDir } from '../migrate'

/** The part of the compose file format that our file uses. A misspelt key is refused, as by compose itself. */
const service = z.strictObject({
  image: z.string().optional(),
  build: z
    .strictObject({
      context: z.literal('.'),
      dockerfile: z.literal('k8s/Dockerfile'),
      target: z.string().optional(),
      args: z.strictObject({ SERVICE: z.string() }).optional(),
    })
    .optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z
    .union([
      z.array(z.string()),
      z.record(
        z.string(),
        z.strictObject({
          condition: z.enum([
            'service_started',
            'service_healthy',
            'service_completed_successfully',
          ]),
        }),
      ),
    ])
    .default([]),
  ports: z.array(z.string()).optional(),
  volumes: z
    .array(
      z.union([
        z.string(),
        z.strictObject({
          type: z.literal('volume'),
          source: z.string(),
          target: z.string(),
          read_only: z.literal(true),
          volume: z.strictObject({ subpath: z.string() }),
        }),
      ]),
    )
    .default([]),
  configs: z.array(z.strictObject({ source: z.string(), target: z.string() })).optional(),
  restart: z.literal('unless-stopped').optional(),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: z.string(),
      start_interval: z.string().optional(),
      start_period: z.string(),
    })
    .optional(),
})
const schema = z.looseObject({ services: z.record(z.string(), service) })

export type ComposeService = z.output<typeof service>

/** The services of docker-compose.yml, with its variables filled in. */
export function readCompose(
  valueOf: (variable: string) => string,
): Readonly<Record<string, ComposeService>> {
  const text = readFileSync(join(repositoryDir, 'docker-compose.yml'), 'utf8')
  const filled = text.replaceAll(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, variable: string) =>
    valueOf(variable),
  )
  return schema.parse(parse(filled, { merge: true })).services
}

export function dependenciesOf({ depends_on: on }: ComposeService): string[] {
  return Array.isArray(on) ? on : Object.keys(on)
}
