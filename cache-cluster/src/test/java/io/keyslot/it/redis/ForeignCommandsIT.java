// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.RedisConnection;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.it.SideBySide;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever commands are sent, what strangers have under the keys of entries and aggregates stays as it is, byte for byte.
 *
 * <p>{@code -Dkeyslot.foreign.groups} says for how many groups commands are generated, {@code -Dkeyslot.foreign.seed} which.
 */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class ForeignCommandsIT {
    private static final int GROUPS = Integer.getInteger("keyslot.strangers.groups", 30);
    private static final long SEED = Long.getLong("keyslot.strangers.seed", 44);
    private static final int COMMANDS = 60;
    private static final long MINUTE = 60_000;

    private final LocalServers servers = LocalServers.create();
    private final LocalServer server = servers.start();
    private final RedisFixture fixture = new RedisFixture();
    private ServerDialogue admin;
    private Planted planted;

    @BeforeEach
    void talk() throws Exception {
        admin = ServerDialogue.with(server);
        planted = new Planted(admin);
    }

    @AfterEach
    void close() throws Exception {
        admin.close();
        fixture.close();
        servers.close();
    }

    @Test
    void instanceAdoptedWithDataOfForeignClients_keepsIt_whateverIsSent() throws Exception {
        planted.plant("somebody", Planted.Kind.LIST);
        RedisConnection connection = connect(Adoption.ALWAYS);
        List<String> violations = new ArrayList<>();
        for (int group = 0; group < GROUPS; group++) {
            GeneratedCommands commands = new GeneratedCommands(SEED + group, "customer:" + group, MINUTE);
            plantUnderAll(commands, new Random(SEED + group), key -> true);
            for (Command<?> command : commandsOf(commands)) {
                Reply<?> reply = RedisFixture.reply(connection, command);
                checkReply(command, reply, violations);
                if (!planted.changed().isEmpty()) {
                    violations.add(command + " changed " + planted.changed() + " and said " + reply);
                }
            }
        }

        assertThat(violations).isEmpty();
    }

    /** The keys of the instance were its own when it was adopted: then puts that expire alike do not look. */
    @Test
    void instanceThatWasBlank_keepsWhatComesLater_butForPutsAndAggregates() throws Exception {
        RedisConnection connection = connect(Adoption.UNUSED);
        List<String> violations = new ArrayList<>();
        for (int group = 0; group < GROUPS; group++) {
            GeneratedCommands commands = new GeneratedCommands(SEED + group, "customer:" + group, MINUTE);
            plantUnderAll(commands, new Random(SEED + group), commands.entries()::contains);
            for (Command<?> command : commandsOf(commands)) {
                if (!(command instanceof Command.Put put && put.envelope().isEntry())
                        && !(command instanceof Command.PutAll)
                        && !(command instanceof GroupCommand of && puts(of))) {
                    Reply<?> reply = RedisFixture.reply(connection, command);
                    checkReply(command, reply, violations);
                    if (!planted.changed().isEmpty()) {
                        violations.add(command + " changed " + planted.changed() + " and said " + reply);
                    }
                }
            }
        }

        assertThat(violations).isEmpty();
    }

    private static boolean puts(GroupCommand group) {
        return group.steps().stream().anyMatch(step -> step instanceof GroupStep.PutEntry || step.kind() != null);
    }

    private RedisConnection connect(Adoption adoption) throws Exception {
        PartitionIdentity identity =
                new PartitionIdentity(RedisFixture.P1, RedisFixture.TWO, "", false, adoption, List.of());
        return RedisFixture.connect(fixture.connector(server.uri(), identity, RedisFixture.PATIENT));
    }

    private void plantUnderAll(GeneratedCommands commands, Random random, Predicate<EncodedKey> where)
            throws Exception {
        planted.pull();
        List<EncodedKey> keys = new ArrayList<>(commands.entries());
        keys.addAll(commands.aggregates().values());
        Planted.Kind[] kinds = Planted.Kind.values();
        for (EncodedKey key : keys) {
            if (where.test(key)) {
                planted.plant(key.text(), kinds[random.nextInt(kinds.length)]);
            }
        }
    }

    private static List<Command<?>> commandsOf(GeneratedCommands generated) {
        List<Command<?>> commands = new ArrayList<>();
        for (AggregateOperation operation : AggregateOperation.values()) {
            commands.add(generated.group(List.of(), List.of(generated.operation(operation, Expiry.UNCHANGED))));
            commands.add(
                    generated.group(List.of(), List.of(generated.operation(operation, Expiry.afterMillis(MINUTE)))));
        }
        for (AggregateKind kind : AggregateKind.values()) {
            EncodedKey key = generated.aggregate(kind);
            commands.add(generated.group(List.of(), List.of(new GroupStep.DeleteAggregate(key, kind))));
            commands.add(generated.group(
                    List.of(), List.of(new GroupStep.ExpireAggregate(key, kind, Expiry.afterMillis(MINUTE)))));
        }
        for (EncodedKey entry : generated.entries()) {
            commands.add(generated.removalOf(entry));
            commands.add(new Command.RemoveAll(List.of(entry)));
            commands.add(new Command.GetAndRemove(entry));
            commands.add(new Command.CompareAndRemove(entry, Command.ABSENT));
            commands.add(new Command.Reserve(entry, Command.Reserve.ANY, 4_711, MINUTE));
            commands.add(new Command.Lease(entry, 4_712, Expiry.afterMillis(MINUTE)));
            commands.add(new Command.Put(
                    entry, Envelope.lease(4_713), Expiry.afterMillis(MINUTE), Expiry.afterMillis(MINUTE)));
        }
        Expiry minute = Expiry.afterMillis(MINUTE);
        commands.add(new LockCommand.Lock(generated.home(), 5, minute));
        commands.add(new LockCommand.Unlock(generated.home(), 5));
        for (int i = 0; i < COMMANDS; i++) {
            commands.add(generated.next());
        }
        commands.add(new GroupListing.Relist(generated.home(), generated.names()));
        commands.add(new GroupListing.Hold(generated.home()));
        commands.add(new GroupListing.Expire(generated.home(), generated.names(), minute));
        commands.add(new GroupListing.Release(generated.home(), minute));
        commands.add(new GroupListing.Forget(generated.home(), generated.names()));
        return commands;
    }

    /** Who stores nothing must not say that it was done; who removes nothing, not that there was something. */
    private static void checkReply(Command<?> command, Reply<?> reply, List<String> violations) {
        boolean stores = command instanceof Command.Put;
        boolean isUntrue = reply instanceof Reply.Done<?> done
                && (stores
                        || (command instanceof Command.RemoveAll
                                && !done.value().equals(0L)));
        boolean isUnknown = reply instanceof Reply.Unknown;
        if (isUntrue || isUnknown) {
            violations.add(command + " was said to be " + reply);
        }
    }
}
