// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import java.util.concurrent.CompletableFuture;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener of {@code loadAll} that completes a future before it calls the application's listener. */
final class EndingListener implements CompletionListener {
    private static final Logger LOG = LoggerFactory.getLogger(EndingListener.class);

    private final String cacheName;
    private final @Nullable CompletionListener listener;
    private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();

    EndingListener(String cacheName, @Nullable CompletionListener listener) {
        this.cacheName = cacheName;
        this.listener = listener;
    }

    CompletableFuture<@Nullable Void> over() {
        return over;
    }

    @Override
    public void onCompletion() {
        over.complete(null);
        if (listener != null) {
            listener.onCompletion();
        }
    }

    @Override
    public void onException(Exception failure) {
        over.completeExceptionally(failure);
        if (listener != null) {
            listener.onException(failure);
        } else {
            LOG.warn("Cache {}: loadAll failed, and nobody listens", cacheName, failure);
        }
    }
}
