// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.LocalLeases;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Lost answers where a stamp says which value there is, and not which write it was. */
class ValueStampsTest {
    private static final EncodedKey KEY = EncodedKey.of("texts:1").raw();
    private static final Envelope OLD = bare("old");
    private static final Envelope NEW = bare("new");

    private final EntryFixture fixture = new EntryFixture();
    private final EntryCalls calls = new EntryCalls(
            fixture.router,
            fixture.router,
            fixture.waiter,
            List.of(new ReadHistory(fixture.time.timing().ticker())),
            new LocalLeases());

    private static Envelope bare(String text) {
        return Envelope.bare(text.getBytes(StandardCharsets.UTF_8), true);
    }

    private void losing(Lookup afterwards) {
        fixture.answering(
                command -> command instanceof Command.Get ? Reply.done(afterwards) : EntryFixture.<Boolean>lost());
    }

    private <R> Reply<R> change(Command<R> command) {
        return calls.change(KEY, command, fixture.budget());
    }

    private static Command.CompareAndSet set(long expected) {
        return new Command.CompareAndSet(KEY, expected, NEW, Expiry.NEVER);
    }

    /** Another one may have made the same of it: who counts would count one for two. */
    @Test
    void conditionalChange_isNotKnown_althoughItsValueIsThere() {
        losing(Lookup.of(NEW));

        assertThat(change(set(OLD.stamp()))).isInstanceOf(Reply.Unknown.class);
        assertThat(change(set(Command.ABSENT))).isInstanceOf(Reply.Unknown.class);
    }

    /** It may have been made, and undone by another one: who counts would count twice. */
    @Test
    void conditionalChange_isNotMadeAgain_althoughTheExpectedValueIsThere() {
        losing(Lookup.of(OLD));

        assertThat(change(set(OLD.stamp()))).isInstanceOf(Reply.Unknown.class);
        assertThat(change(new Command.CompareAndRemove(KEY, OLD.stamp()))).isInstanceOf(Reply.Unknown.class);
        assertThat(List.of(fixture.connection1.sent(), fixture.connection2.sent()))
                .allSatisfy(sent -> assertThat(sent).noneMatch(Command.Get.class::isInstance));
    }

    @Test
    void put_isDone_ifItsValueIsThere() {
        losing(Lookup.of(NEW));

        assertThat(change(new Command.Put(KEY, NEW, Expiry.NEVER, Expiry.NEVER)))
                .isEqualTo(Reply.done(true));
    }

    @Test
    void put_isMadeAgain_inPlaceOfWhatIsThere() {
        AtomicInteger losses = new AtomicInteger(1);
        fixture.answering(command -> command instanceof Command.Get
                ? Reply.done(Lookup.of(OLD))
                : losses.getAndDecrement() > 0 ? EntryFixture.<Boolean>lost() : Reply.done(true));

        assertThat(change(new Command.Put(KEY, NEW, Expiry.NEVER, Expiry.NEVER)))
                .isEqualTo(Reply.done(true));
    }
}
