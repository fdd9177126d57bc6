// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.lettuce.core.api.push.PushListener;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The pushes of one connection: the requests for tracking, and the delivery. Lettuce decodes pushes in order with the
 * replies, and completes each before the next.
 */
final class Pushes implements PushListener {
    private final CommandWriter writer;
    private final BooleanSupplier areInOrder;
    private final PushListeners listeners;

    /** Creates the requests; the supplier returns whether the server sends invalidations in order with its replies. */
    Pushes(CommandWriter writer, BooleanSupplier areInOrder, PushListeners listeners) {
        this.writer = writer;
        this.areInOrder = areInOrder;
        this.listeners = listeners;
    }

    /** Refuses if the server is older: it sends invalidations before or after the replies between which they belong. */
    CompletableFuture<Reply<Boolean>> track() {
        if (!areInOrder.getAsBoolean()) {
            return CompletableFuture.completedFuture(Reply.refused(
                    Refusal.FORBIDDEN, "the server does not tell in order what has changed; Redis 7.0 or Valkey does"));
        }
        return writer.write(ofClient("TRACKING", "ON", "OPTIN"));
    }

    /** Sends a tracked read, then untracked commands. {@code CLIENT CACHING YES} comes first, and must succeed. */
    <R> CompletableFuture<Reply<R>> sendTracked(RoutedCommand<?, R> read, RoutedCommand<?, ?>... behind) {
        return writer.writeAfter(ofClient("CACHING", "YES"), read, behind);
    }

    private RoutedCommand<Boolean, Boolean> ofClient(Object... words) {
        return writer.bare(CommandType.CLIENT, Resp.ok(), Resp.arguments(words), Route.ANY, Resp::isOk);
    }

    @Override
    public void onPushMessage(PushMessage message) {
        if (message.getType().equals("invalidate")) {
            listeners.publish(invalidated(message.getContent()));
        }
    }

    /** Decodes the type and the keys, where null means all keys. */
    private static Push invalidated(List<Object> content) {
        Object keys = content.size() == 2 ? content.get(1) : null;
        if (!(keys instanceof List<?> list)) {
            return new Push.AllInvalidated("the server was emptied");
        }
        List<EncodedKey> invalidated = new ArrayList<>(list.size());
        for (Object key : list) {
            if (!(key instanceof ByteBuffer name)) {
                return new Push.AllInvalidated("the server said something that cannot be understood");
            }
            invalidated.add(new EncodedKey(bytes(name)));
        }
        return new Push.Invalidated(invalidated);
    }

    private static byte[] bytes(ByteBuffer content) {
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        return bytes;
    }
}
