// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.partition.GroupCommand.Expected;
import io.keyslot.client.partition.GroupStep.Apply;
import io.keyslot.client.partition.GroupStep.Contents;
import io.keyslot.client.partition.GroupStep.ReadAggregate;
import io.keyslot.client.partition.GroupStep.TimeToLive;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the contract tests of groups do with an engine. Each test has a group of its own. */
public abstract class GroupFixture extends PartitionFixture {
    /** Returns the group of this test. */
    final GroupHome home() {
        return GroupHome.of(key("99"));
    }

    /** Returns the key of this group's member of a type. */
    final EncodedKey member(String type) {
        return EncodedKey.of(type + ":{" + home().tag() + "}");
    }

    static List<Element> elements(String... texts) {
        return Stream.of(texts).map(Element::of).toList();
    }

    /** Returns a step that leaves the expiry as it is. */
    static Apply step(EncodedKey key, AggregateOperation operation, String... arguments) {
        return step(key, Expiry.UNCHANGED, operation, arguments);
    }

    static Apply step(EncodedKey key, Expiry expiry, AggregateOperation operation, String... arguments) {
        return new Apply(key, operation, elements(arguments), expiry);
    }

    /** Returns a step that changes an aggregate of any kind, whether or not there is one. */
    static Apply change(EncodedKey key, AggregateKind kind, Expiry expiry) {
        return switch (kind) {
            case HASH -> step(key, expiry, AggregateOperation.HASH_PUT, "name", "Ada");
            case LIST -> step(key, expiry, AggregateOperation.LIST_ADD_LAST, "one");
            case SET -> step(key, expiry, AggregateOperation.SET_ADD, "one-" + stamp());
            case SORTED_SET -> step(key, expiry, AggregateOperation.SORTED_ADD, "1", "one");
            case COUNTER -> step(key, expiry, AggregateOperation.COUNTER_SET, "5");
        };
    }

    /** Returns a command on this test's group, with a stamp that no other one has. */
    final GroupCommand command(List<Expected> expectations, GroupStep... steps) {
        return new GroupCommand(home(), 0, expectations, List.of(steps), stamp());
    }

    /** Returns what came of steps, done without expectations. */
    final GroupReply group(GroupStep... steps) {
        return done(command(List.of(), steps));
    }

    /** Returns the answers of steps, which must be done. */
    final List<@Nullable Object> applied(GroupStep... steps) {
        return answers(group(steps));
    }

    static List<@Nullable Object> answers(GroupReply reply) {
        if (reply instanceof GroupReply.Applied applied) {
            return applied.answers();
        }
        throw new AssertionError("Not applied, but " + reply);
    }

    /** Returns the answer of an operation, readable. */
    final @Nullable Object apply(EncodedKey key, AggregateOperation operation, String... arguments) {
        return readable(applied(step(key, operation, arguments)).get(0));
    }

    /** Lets there be an aggregate; returns its stamp. */
    final long create(EncodedKey key, AggregateKind kind, Expiry expiry) {
        GroupCommand command = command(List.of(), change(key, kind, expiry));
        answers(done(command));
        return command.stamp();
    }

    final Contents contents(EncodedKey key, AggregateKind kind) {
        return (Contents) present(applied(new ReadAggregate(key, kind)).get(0));
    }

    final long timeToLive(EncodedKey key, AggregateKind kind) {
        return (long) present(applied(new TimeToLive(key, kind)).get(0));
    }

    static Object present(@Nullable Object answer) {
        if (answer == null) {
            throw new AssertionError("No answer");
        }
        return answer;
    }

    /** Returns elements as texts, also in lists, and all else as it is. */
    static @Nullable Object readable(@Nullable Object answer) {
        if (answer instanceof Element element) {
            return element.text();
        }
        if (answer instanceof List<?> list) {
            return list.stream().map(GroupFixture::readable).toList();
        }
        return answer;
    }

    /** Returns a list that may have nulls in it. */
    static List<@Nullable String> listOf(@Nullable String... elements) {
        List<@Nullable String> list = new ArrayList<>();
        for (@Nullable String element : elements) {
            list.add(element);
        }
        return list;
    }
}
