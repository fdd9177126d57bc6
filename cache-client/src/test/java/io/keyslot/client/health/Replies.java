// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.concurrent.CompletableFuture;

/** The commands and replies that the tests of this package use. */
public final class Replies {
    public static final EncodedKey KEY = EncodedKey.of("customer:99");
    public static final Command.Get GET = new Command.Get(KEY);
    public static final Command.Put PUT = put(KEY);
    public static final Reply<Lookup> ABSENT = Reply.done(Lookup.absent());
    public static final Reply<Lookup> TIMEOUT = Reply.unknown("no answer within 100 ms", null);

    private Replies() {}

    public static Command.Put put(EncodedKey key) {
        return new Command.Put(key, Envelope.of(1, new byte[0]), Expiry.NEVER, Expiry.NEVER);
    }

    public static <R> Reply<R> refused(Refusal refusal) {
        return Reply.refused(refusal, refusal.name());
    }

    /** Returns the reply, which must be there. */
    public static <T> T now(CompletableFuture<T> future) {
        assertThat(future).isCompleted();
        return future.getNow(null);
    }
}
