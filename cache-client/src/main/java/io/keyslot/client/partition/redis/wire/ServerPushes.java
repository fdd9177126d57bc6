// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushListeners;
import io.lettuce.core.api.push.PushListener;
import io.lettuce.core.api.push.PushMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server pushes on one connection, as our listeners hear it. Lettuce decodes pushes and replies one after the other in
 * the event loop, and completes what it has decoded before it goes on: that is all there is to the order.
 */
public final class ServerPushes implements PushListener {
    private static final String INVALIDATE = "invalidate";

    private final PushListeners listeners;

    public ServerPushes(PushListeners listeners) {
        this.listeners = listeners;
    }

    @Override
    public void onPushMessage(PushMessage message) {
        if (message.getType().equals(INVALIDATE)) {
            listeners.tell(invalidated(message.getContent()));
        }
    }

    /** @param content the type, and the keys: null for all */
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
            byte[] bytes = new byte[name.remaining()];
            name.duplicate().get(bytes);
            invalidated.add(new EncodedKey(bytes));
        }
        return new Push.Invalidated(invalidated);
    }
}
