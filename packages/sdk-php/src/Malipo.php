<?php

declare(strict_types=1);

namespace Malipo;

/** The API of one country's payments host. */
final class Malipo
{
    public readonly Checkouts $checkouts;

    /**
     * @param string $secretKey `mkp_test_…` or `mkp_live_…`. It belongs on a server, never in a page or an app.
     * @param string $baseUrl the payments host of your country, as `https://payments.example`
     * @param float $timeoutSeconds for one answer
     * @param int $retriesMax how often a request is sent again after no answer, 429, 500 or 503
     */
    public function __construct(
        #[\SensitiveParameter] string $secretKey,
        string $baseUrl,
        float $timeoutSeconds = 15.0,
        int $retriesMax = 4,
    ) {
        // The value is in no message: this error may be logged.
        if (preg_match('/\Amkp_(test|live)_[!-~]*\z/', $secretKey) !== 1) {
            throw new \InvalidArgumentException('secretKey must be a secret key of Malipo: mkp_test_… or mkp_live_…');
        }
        $url = parse_url($baseUrl);
        if (!is_array($url) || !in_array($url['scheme'] ?? '', ['http', 'https'], true) || !isset($url['host'])) {
            throw new \InvalidArgumentException('baseUrl must be a URL with its scheme: https://…');
        }
        $port = isset($url['port']) ? ":{$url['port']}" : '';
        $origin = "{$url['scheme']}://{$url['host']}$port";
        $this->checkouts = new Checkouts(new Channel($origin, $timeoutSeconds, $secretKey), $retriesMax);
    }
}
