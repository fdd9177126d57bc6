// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.client.config.ConfigurationException;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains in a few lines why the cache manager did not start. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<CacheException> {
    private static final String REFUSED = "Keyslot ";

    @Override
    @SuppressWarnings("NullAway") // null for a failure that others explain
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, CacheException cause) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof ConfigurationException) {
            return new FailureAnalysis(
                    message,
                    "Correct the settings that are named above: keyslot.* of the application, or its keyslot.yaml.",
                    cause);
        }
        return message.startsWith(REFUSED)
                ? new FailureAnalysis(
                        message,
                        "A server has answered and does not accept this application. A server that does not answer would not stop it.",
                        cause)
                : null;
    }
}
