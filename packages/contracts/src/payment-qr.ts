/** A gateway asks a worker for a checkout's QR code by this job, and finds the picture in Redis. */
export const drawQrJob = 'draw-qr'

/** How long a gateway waits for a picture: the provider usually draws within a second. An older job is not worth its call. */
export const qrWaitMs = 6_000

/** How long a picture is kept, and how long it is remembered that there is none. */
export const qrLifeSeconds = 600
export const noQrLifeSeconds = 30

/** Where the PNG is kept; empty where the provider drew none. */
export function qrKey(queuePrefix: string, checkoutId: string): string {
  return `${queuePrefix}:qr:${checkoutId}`
}

/** What is announced when the picture is there, or will not come. */
export function qrChange(checkoutId: string): string {
  return `qr:${checkoutId}`
}
