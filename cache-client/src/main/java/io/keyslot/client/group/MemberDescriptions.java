// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupMember;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.GroupListing.AggregateDescription;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts a partition's descriptions of a group's members for the application. */
final class MemberDescriptions {
    private MemberDescriptions() {}

    static Optional<GroupMember> of(EncodedKey key, Description description) {
        return description.lookup().isFound()
                ? Optional.of(new GroupMember(
                        key.text(),
                        GroupMember.Kind.ENTRY,
                        description.sizeBytes(),
                        durationOf(description.expiresInMillis())))
                : Optional.empty();
    }

    static GroupMember of(AggregateDescription aggregate) {
        return new GroupMember(
                aggregate.key().text(),
                kindOf(aggregate.kind()),
                aggregate.sizeBytes(),
                durationOf(aggregate.expiresInMillis()));
    }

    private static GroupMember.Kind kindOf(AggregateKind kind) {
        return switch (kind) {
            case HASH -> GroupMember.Kind.HASH;
            case LIST -> GroupMember.Kind.LIST;
            case SET -> GroupMember.Kind.SET;
            case SORTED_SET -> GroupMember.Kind.SORTED_SET;
            case COUNTER -> GroupMember.Kind.COUNTER;
        };
    }

    private static @Nullable Duration durationOf(long millis) {
        return millis < 0 ? null : Duration.ofMillis(millis);
    }
}
