<?php

declare(strict_types=1);

namespace Malipo;

/** The API of one country's payments host. */
final class Malipo
{
    public readonly Checkouts $checkouts;

    /**
     * @param string $secretKey `mkp_test_…` or `mkp_live_…`. It belongs on a server, never in a page or an app.
     * @param string $baseUrl the payments host of your country, as `https://payments.example`; http for this machine only
     * @param float $timeoutSeconds the timeout of one answer; while the headers arrive, PHP starts it again at each byte
     * @param int $retriesMax how often a request is sent again after no answer, 429 or 5xx, within 30 seconds
     */
    public function __construct(
        #[\SensitiveParameter] string $secretKey,
        string $baseUrl,
        float $timeoutSeconds = 15.0,
        int $retriesMax = 4,
    ) {
        // The message does not repeat the value, because this error may be logged.
        if (preg_match('/\Amkp_(test|live)_[!-~]*\z/', $secretKey) !== 1) {
            throw new \InvalidArgumentException('secretKey must be a secret key of Malipo: mkp_test_… or mkp_live_…');
        }
        $url = parse_url($baseUrl);
        if (!is_array($url) || !in_array($url['scheme'] ?? '', ['http', 'https'], true) || !isset($url['host'])) {
            throw new \InvalidArgumentException('baseUrl must be a URL with its scheme: https://…');
        }
        $isThisMachine = preg_match('/\A(localhost|127(\.[0-9]{1,3}){3}|\[::1\])\z/', $url['host']) === 1;
        if ($url['scheme'] !== 'https' && !$isThisMachine) {
            throw new \InvalidArgumentException(
                'baseUrl must begin with https://, as http shows the key to the network. http is for this machine only.',
            );
        }
        if (!filter_var(ini_get('allow_url_fopen'), FILTER_VALIDATE_BOOL)) {
            throw new \RuntimeException('The setting allow_url_fopen must be on, because this SDK sends its requests by fopen');
        }
        $port = isset($url['port']) ? ":{$url['port']}" : '';
        $origin = "{$url['scheme']}://{$url['host']}$port";
        $this->checkouts = new Checkouts(new Channel($origin, $timeoutSeconds, $secretKey), $retriesMax);
    }
}
