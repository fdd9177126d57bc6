// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.GroupCommand.Expected;
import io.keyslot.client.partition.GroupStep.Contents;
import io.keyslot.client.partition.GroupStep.DeleteAggregate;
import io.keyslot.client.partition.GroupStep.ExpireAggregate;
import io.keyslot.client.partition.GroupStep.ReadAggregate;
import io.keyslot.client.partition.GroupStep.TimeToLive;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That every engine does to an aggregate what Java does to a collection, whatever is done to it one after the other. */
public abstract class AggregateHistoryContract extends AggregateContract {
    private static final int OPERATIONS = 500;

    /** Time may be real: there is little of it. */
    private static final int EXPIRIES = 3;

    @ParameterizedTest
    @EnumSource(AggregateKind.class)
    void history_isThatOfACollection(AggregateKind kind) {
        new History(kind, new Random().nextLong(), false).run(() -> {});
    }

    @ParameterizedTest
    @EnumSource(AggregateKind.class)
    void historyWithRemovalsByAnotherThread_isThatOfACollection(AggregateKind kind) throws Exception {
        History history = new History(kind, new Random().nextLong(), true);
        Semaphore removals = new Semaphore(0);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<?> remover = executor.submit(() -> history.remove(removals));
            history.run(removals::release);
            removals.release(OPERATIONS);
            remover.get(60, TimeUnit.SECONDS);
        } finally {
            executor.shutdownNow();
        }
    }

    /** One aggregate, and what it should be. */
    private final class History {
        private static final int REMOVALS = OPERATIONS / 10;

        private final EncodedKey key = member("history");
        private final AggregateKind kind;
        private final long seed;
        private final boolean mayVanish;
        private final Random random;
        private final RandomArguments choices;
        private ReferenceAggregate expected;
        private long stamp = Command.ABSENT;
        private boolean expires;
        private String last = "";

        History(AggregateKind kind, long seed, boolean mayVanish) {
            this.kind = kind;
            this.seed = seed;
            this.mayVanish = mayVanish;
            this.random = new Random(seed);
            this.choices = new RandomArguments(random);
            this.expected = ReferenceAggregate.empty(kind);
        }

        /** @param now called now and then */
        void run(Runnable now) {
            int expiries = 0;
            for (int i = 0; i < OPERATIONS; i++) {
                int choice = random.nextInt(100);
                if (choice < 10) {
                    now.run();
                }
                if (choice == 99) {
                    delete();
                } else if (choice == 98 && expiries++ < EXPIRIES) {
                    expire();
                } else {
                    operate();
                }
                check();
            }
        }

        /** Removes the aggregate whenever it may. */
        void remove(Semaphore permits) {
            for (int i = 0; i < REMOVALS; i++) {
                permits.acquireUninterruptibly();
                applied(new DeleteAggregate(key, kind));
            }
        }

        private void forget() {
            expected = ReferenceAggregate.empty(kind);
            stamp = Command.ABSENT;
            expires = false;
        }

        private void delete() {
            last = "delete";
            applied(new DeleteAggregate(key, kind));
            forget();
        }

        private void expire() {
            last = "expire";
            applied(new ExpireAggregate(key, kind, SOON));
            pass(A_MOMENT);
            forget();
        }

        private void operate() {
            AggregateOperation operation = choices.operation(kind);
            List<String> arguments = choices.of(operation);
            if (expected.isDefined(operation)) {
                operate(operation, arguments);
            }
        }

        private void operate(AggregateOperation operation, List<String> arguments) {
            last = operation + " " + arguments;
            Expiry expiry = List.of(Expiry.UNCHANGED, Expiry.NEVER, HOUR).get(random.nextInt(3));
            GroupCommand command = command(
                    List.of(new Expected(key, kind, stamp)),
                    step(key, expiry, operation, arguments.toArray(String[]::new)));
            GroupReply reply = done(command);
            if (mayVanish && reply instanceof GroupReply.Conflict) {
                forget();
                return;
            }
            List<String> before = expected.elements();
            assertThat(answer(operation, reply)).as(this::told).isEqualTo(expectedAnswer(operation, arguments));
            note(command.stamp(), expiry, before);
        }

        private Object answer(AggregateOperation operation, GroupReply reply) {
            return reply instanceof GroupReply.Impossible
                    ? "impossible"
                    : comparable(operation, readable(answers(reply).get(0)));
        }

        private Object expectedAnswer(AggregateOperation operation, List<String> arguments) {
            try {
                return comparable(operation, expected.perform(operation, arguments));
            } catch (ArithmeticException e) {
                return "impossible";
            }
        }

        /** Asks for the stamp, which says whether there was a change, and so what has become of the expiry. */
        private void note(long newStamp, Expiry expiry, List<String> before) {
            Contents present = contents(key, kind);
            if (expected.elements().isEmpty() || (mayVanish && present.stamp() == Command.ABSENT)) {
                forget();
                return;
            }
            boolean isChanged = present.stamp() == newStamp;
            assertThat(isChanged || expected.elements().equals(before))
                    .as(this::told)
                    .isTrue();
            boolean isSet = isChanged && !expiry.isUnchanged();
            expires = isSet ? !expiry.isNever() : (expires && !before.isEmpty());
            stamp = present.stamp();
        }

        private void check() {
            List<?> answers = applied(new ReadAggregate(key, kind), new TimeToLive(key, kind));
            Contents found = (Contents) present(answers.get(0));
            long timeToLive = (long) present(answers.get(1));
            if (mayVanish && found.stamp() == Command.ABSENT) {
                forget();
            }
            assertThat(comparable(whole(), readable(found.elements())))
                    .as(this::told)
                    .isEqualTo(comparable(whole(), expected.elements()));
            boolean isThere = !expected.elements().isEmpty();
            stamp = isThere ? stamp : Command.ABSENT;
            assertThat(found.stamp()).as(this::told).isEqualTo(stamp);
            assertThat(Long.signum(timeToLive)).as(this::told).isEqualTo((isThere && expires) ? 1 : -1);
            assertThat(timeToLive == -2).as(this::told).isEqualTo(!isThere);
        }

        private AggregateOperation whole() {
            return switch (kind) {
                case HASH -> AggregateOperation.HASH_GET_ALL;
                case LIST -> AggregateOperation.LIST_RANGE;
                case SET -> AggregateOperation.SET_GET_ALL;
                case SORTED_SET -> AggregateOperation.SORTED_BY_RANK;
                case COUNTER -> AggregateOperation.COUNTER_GET;
            };
        }

        private String told() {
            return "seed %s, %s, after %s".formatted(seed, kind, last);
        }
    }

    /** Returns an answer in a form that does not depend on the order, where there is none, nor on how numbers look. */
    private static Object comparable(AggregateOperation operation, @Nullable Object answer) {
        if (!(answer instanceof List<?> list)) {
            return number(answer);
        }
        List<String> texts = new ArrayList<>();
        list.forEach(element -> texts.add(number(element)));
        return switch (operation) {
            case HASH_GET_ALL -> pairs(texts).stream().sorted().toList();
            case HASH_FIELDS, SET_GET_ALL -> texts.stream().sorted().toList();
            default -> texts;
        };
    }

    private static List<String> pairs(List<String> texts) {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < texts.size(); i += 2) {
            pairs.add(texts.get(i) + " = " + texts.get(i + 1));
        }
        return pairs;
    }

    private static String number(@Nullable Object text) {
        String string = String.valueOf(text);
        boolean isDecimal = string.matches("-?[0-9]+[.][0-9]+");
        double number = isDecimal ? Double.parseDouble(string) : 0;
        return isDecimal && number == Math.rint(number) ? Long.toString((long) number) : string;
    }

    /** Operations and arguments for them, few enough to meet each other often. */
    private static final class RandomArguments {
        private static final int MOST = 4;

        private final Random random;

        RandomArguments(Random random) {
            this.random = random;
        }

        AggregateOperation operation(AggregateKind kind) {
            List<AggregateOperation> all = Arrays.stream(AggregateOperation.values())
                    .filter(operation -> operation.kind() == kind)
                    .toList();
            return all.get(random.nextInt(all.size()));
        }

        List<String> of(AggregateOperation operation) {
            return switch (operation) {
                case HASH_GET_ALL, HASH_FIELDS, HASH_SIZE, LIST_SIZE, LIST_POLL_FIRST, LIST_POLL_LAST -> List.of();
                case SET_SIZE, SET_GET_ALL, SORTED_SIZE, SORTED_POLL_FIRST, SORTED_POLL_LAST, COUNTER_GET -> List.of();
                case HASH_GET, HASH_CONTAINS, HASH_REMOVE, LIST_REMOVE, SET_CONTAINS -> List.of(name());
                case SORTED_SCORE, SORTED_RANK -> List.of(name());
                case HASH_GET_MANY, HASH_REMOVE_MANY, LIST_ADD_FIRST, LIST_ADD_LAST -> many(() -> List.of(name()));
                case SET_ADD, SET_REMOVE, SORTED_REMOVE -> many(() -> List.of(name()));
                case HASH_PUT, HASH_PUT_IF_ABSENT -> List.of(name(), value());
                case HASH_PUT_MANY -> many(() -> List.of(name(), value()));
                // Decimal sums go to other fields than whole ones: a large whole number has no exact decimal sum on a
                // server.
                case HASH_INCREMENT -> List.of(oneOf("a", "b"), whole());
                case HASH_INCREMENT_BY_DOUBLE -> List.of(oneOf("c", "d"), oneOf("0.25", "-1.5", "2", "1e3"));
                case LIST_GET -> List.of(index());
                case LIST_SET -> List.of(index(), name());
                case LIST_RANGE, LIST_RETAIN, SORTED_BY_RANK, SORTED_BY_RANK_DESCENDING -> List.of(index(), index());
                case SORTED_COUNT, SORTED_REMOVE_BY_SCORE -> List.of(score(), score());
                case SORTED_BY_SCORE, SORTED_BY_SCORE_DESCENDING -> List.of(score(), score(), limit());
                case SORTED_BY_ELEMENT -> List.of(name(), name(), limit());
                case SORTED_ADD -> many(() -> List.of(score(), name()));
                case SORTED_INCREMENT -> List.of(score(), name());
                case COUNTER_SET, COUNTER_ADD -> List.of(whole());
            };
        }

        private List<String> many(Supplier<List<String>> one) {
            List<String> all = new ArrayList<>();
            int count = 1 + random.nextInt(MOST);
            for (int i = 0; i < count; i++) {
                all.addAll(one.get());
            }
            return all;
        }

        private String name() {
            return oneOf("a", "b", "c", "d", "e", "A", "é", "", "aa", "ab");
        }

        private String value() {
            return oneOf("5", "-3", "x", "05", "1.5", "-0.25", "");
        }

        private String whole() {
            return oneOf("1", "-7", "0", "9223372036854775807", "-9223372036854775808");
        }

        private String score() {
            return oneOf("-inf", "-1.5", "0", "0.25", "2", "2", "2", "1000", "inf");
        }

        private String index() {
            return Integer.toString(random.nextInt(12) - 6);
        }

        private String limit() {
            return Integer.toString(random.nextInt(5));
        }

        private String oneOf(String... choices) {
            return choices[random.nextInt(choices.length)];
        }
    }
}
