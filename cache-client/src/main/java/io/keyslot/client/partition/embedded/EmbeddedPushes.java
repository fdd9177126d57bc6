// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Channels;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushCommand;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;

/** The tracking and the subscriptions of one connection. Thread-safe. */
final class EmbeddedPushes {
    private final PushListeners listeners;
    private final StoredEntries entries;
    private final EmbeddedChannels channels;
    private final EmbeddedTracking tracking;
    private final Channels asked = new Channels();

    EmbeddedPushes(PushListeners listeners, StoredEntries entries, EmbeddedChannels channels) {
        this.listeners = listeners;
        this.entries = entries;
        this.channels = channels;
        this.tracking = new EmbeddedTracking(listeners);
    }

    Reply<Boolean> track(PushCommand.Track command) {
        if (!tracking.begin(command, entries)) {
            return Reply.refused(Refusal.FORBIDDEN, "this connection is told in another way already");
        }
        if (listeners.isEnded()) {
            entries.untrack(tracking);
        }
        return Reply.done(true);
    }

    /** Returns whether reads must be recorded by {@link #note}, with the lock of the slot held. */
    boolean notesReads() {
        return tracking.notesReads();
    }

    /** Returns whether only explicitly tracked reads are reported. */
    boolean isOfAsked() {
        return tracking.isOfAsked();
    }

    /** Reports expired entries to a connection that tracks prefixes; nothing else looks for them. */
    void expire() {
        if (tracking.isOfPrefixes()) {
            entries.expire();
        }
    }

    void note(EncodedKey key) {
        tracking.note(key);
    }

    Reply<Boolean> subscribe(PushCommand.Subscribe command) {
        if (!asked.admit(command.channels())) {
            return Channels.tooMany();
        }
        channels.subscribe(listeners, command.channels());
        return Reply.done(true);
    }

    long publish(PushCommand.Publish command) {
        return channels.publish(new Push.Message(command.channel(), command.payload()));
    }

    void end(String reason) {
        listeners.end(reason);
        entries.untrack(tracking);
        channels.leave(listeners);
    }
}
