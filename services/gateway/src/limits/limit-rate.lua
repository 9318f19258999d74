-- One request against one sliding window, counted exactly: at most `limit` requests in any `window` milliseconds.
-- KEYS[1]  the window's log: one member a request, its score the time in milliseconds
-- ARGV[1]  limit
-- ARGV[2]  window in milliseconds
-- ARGV[3]  a name for this request that no other has
-- Returns  { 1 when it may go on and 0 when not, how many more may, milliseconds until the oldest leaves the window }.
-- A refused request is not counted, so a client that waits as long as it is told gets through.

local limit = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
-- An entry dated later is not from here, or is from before the clock was set back. It would be counted for ever.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')
local counted = redis.call('ZCARD', KEYS[1])
local allowed = counted < limit
if allowed then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window)
  counted = counted + 1
end

local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { allowed and 1 or 0, limit - counted, tonumber(oldest[2]) + window - now }
