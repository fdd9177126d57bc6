// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushCommand;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.stored.EncodedKey;
import io.lettuce.core.api.push.PushListener;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.protocol.RedisCommand;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Delivers pushes. Lettuce decodes them in order with the replies, and completes each before the next. */
public final class ServerPushes implements PushListener {
    private final PushListeners listeners;
    private final RouteVersionGuard versionGuard;

    public ServerPushes(PushListeners listeners, RouteVersionGuard versionGuard) {
        this.listeners = listeners;
        this.versionGuard = versionGuard;
    }

    @Override
    public void onPushMessage(PushMessage message) {
        switch (message.getType()) {
            case "invalidate" -> listeners.tell(invalidated(message.getContent()));
            case "message" -> listeners.tell(published(message.getContent()));
            case "subscribe" -> confirm();
            default -> {
                // Not requested.
            }
        }
    }

    /** A confirmation takes the place of a reply, so it confirms the next command that expects one. */
    private void confirm() {
        Queue<RedisCommand<?, ?, ?>> unanswered = versionGuard.unanswered();
        RedisCommand<?, ?, ?> next = unanswered.peek();
        if (next != null && next.getOutput() instanceof Confirmations confirmations && confirmations.isLast()) {
            unanswered.remove();
            next.complete();
        }
    }

    private static Push published(List<Object> content) {
        if (content.size() == 3
                && content.get(1) instanceof ByteBuffer channel
                && content.get(2) instanceof ByteBuffer payload
                && payload.remaining() <= PushCommand.Publish.MOST_BYTES) {
            return new Push.Message(
                    new String(bytes(channel), StandardCharsets.UTF_8), ByteBuffer.wrap(bytes(payload)));
        }
        return new Push.AllInvalidated("a message is longer than it may be, or cannot be understood");
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
