// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Opens the guard after the handshake. Never written; only commands reach the handlers of Lettuce's channel. */
public final class GateOpening extends Command<byte[], byte[], String> implements Gated {
    private final long mapVersion;
    private final CompletableFuture<RouteVersionGuard> opened = new CompletableFuture<>();

    public GateOpening(long mapVersion) {
        super(CommandType.PING, new StatusOutput<>(ByteArrayCodec.INSTANCE));
        this.mapVersion = mapVersion;
    }

    /** Returns a future that completes in the channel's event loop. */
    public CompletableFuture<RouteVersionGuard> opened() {
        return opened;
    }

    @Override
    public boolean passes(RouteVersionGuard versionGuard) {
        versionGuard.open(mapVersion);
        complete();
        opened.complete(versionGuard);
        return false;
    }

    @Override
    public boolean completeExceptionally(@Nullable Throwable cause) {
        opened.completeExceptionally(cause == null ? new IllegalStateException("no cause") : cause);
        return true;
    }
}
