// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns replies about entries into decoded answers. Bytes that cannot be decoded are reported and removed unless the
 * entry has changed since; in a raw cache they belong to another program, so they stay and the call fails. Thread-safe.
 */
record Answers<V>(EntryCalls calls, ValueCoder<V> coder, Failures failures, CacheTelemetry telemetry, Ticker ticker) {
    private static final int SHOWN_CHARACTERS = 100;

    /** Returns what replies say of entries, in the order of the keys. */
    List<Answer<V>> ofAll(List<EncodedKey> keys, List<Reply<Lookup>> replies, CallBudget budget) {
        List<Answer<V>> answers = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            answers.add(of(keys.get(i), replies.get(i), budget));
        }
        return answers;
    }

    Answer<V> of(EncodedKey key, Reply<Lookup> reply, CallBudget budget) {
        if (!(reply instanceof Reply.Done<Lookup> done)) {
            return Answer.failed(failures.ofRead(budget.operation(), reply));
        }
        Lookup lookup = done.value();
        Envelope envelope = lookup.envelope();
        if (envelope == null) {
            return absence(key, lookup);
        }
        Answer<V> answer = decode(key, envelope);
        if (envelope.isReserved()) {
            return answer.reserved(); // the writer is about to replace the entry, readable or not
        }
        if (answer.kind() == Answer.Kind.UNREADABLE) {
            if (coder.isRaw()) {
                throw notAValue(
                        key, "a string of %d bytes".formatted(envelope.payload().remaining()));
            }
            // Whether this succeeds does not matter: the entry is a miss now, and will be one for the next reader.
            calls.ask(key, new Command.CompareAndRemove(key, envelope.stamp()), budget);
        }
        return answer;
    }

    private Answer<V> decode(EncodedKey key, Envelope envelope) {
        V value;
        try {
            value = coder.decodeOrNull(key, envelope, telemetry);
        } catch (CodecException e) {
            throw e;
        } catch (KeyslotException e) {
            return Answer.failed(e); // the value remains: it can be read when its dictionary can be read
        }
        if (value == null) {
            return Answer.without(Answer.Kind.UNREADABLE);
        }
        return envelope.freshUntilMillis() == 0
                ? Answer.fresh(value, envelope)
                : Answer.found(
                        value, envelope.stamp(), Freshness.of(envelope.freshUntilMillis()), ticker.epochMillis());
    }

    /** Returns the exception for foreign bytes: their program may correct them, so they must not be removed. */
    private CodecException notAValue(EncodedKey key, String found) {
        String text = key.text();
        return failures.ofForeignValue(
                text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "…" : text,
                found,
                coder.codecName());
    }

    private Answer<V> absence(EncodedKey key, Lookup lookup) {
        if (coder.isRaw() && lookup.outcome() == Lookup.Outcome.MALFORMED) {
            telemetry.onUnreadable(lookup.outcome());
            throw notAValue(key, "something that is no string");
        }
        return switch (lookup.outcome()) {
            case FOUND, ABSENT, OUTDATED, BEING_DELETED -> Answer.without(Answer.Kind.ABSENT);
            case LEASED -> Answer.leased(lookup.leaseStamp());
            case RESERVED -> Answer.<V>leased(lookup.leaseStamp()).reserved();
            case NEGATIVE -> Answer.without(Answer.Kind.NEGATIVE);
            case OTHER_EPOCH -> unreadable(lookup, Answer.Kind.OTHER_EPOCH);
            case OTHER_KEY, NEWER_FORMAT, OTHER_LAYOUT, MALFORMED -> unreadable(lookup, Answer.Kind.UNREADABLE);
        };
    }

    private Answer<V> unreadable(Lookup lookup, Answer.Kind kind) {
        telemetry.onUnreadable(lookup.outcome());
        return Answer.without(kind);
    }
}
