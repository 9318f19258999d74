import { PrismaPg } from '@prisma/adapter-pg'
import { poolConfig } from '@malipo/runtime/database'
import { PrismaClient } from './generated/client'

export type Database = PrismaClient

const connectionsMax = 10

export function openDatabase(url: string): Database {
  return new PrismaClient({
    adapter: new PrismaPg(poolConfig(url, connectionsMax)),
    // The longer formats print the arguments of a refused call, and those are people's.
    errorFormat: 'minimal',
  })
}
