// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.RemoteList;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A remote list is a deque with indexes. */
public abstract class ListContract extends AggregateContract {
    private RemoteList<String> list() {
        return group.list("history", String.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomOperations_atTheEnds_answerAsThoseOfADeque(long seed) {
        Random random = new Random(seed);
        RemoteList<String> list = list();
        Deque<String> model = new ArrayDeque<>();
        for (int step = 0; step < STEPS; step++) {
            operate(random, list, model, at(seed, step));
            assertThat(list.size()).as(at(seed, step)).isEqualTo(model.size());
        }
        assertThat(list.toList()).as(at(seed, STEPS)).containsExactlyElementsOf(model);
    }

    private static void operate(Random random, RemoteList<String> list, Deque<String> model, String at) {
        String element = word(random);
        switch (random.nextInt(12)) {
            case 0 -> {
                list.addFirst(element);
                model.addFirst(element);
            }
            case 1 -> {
                list.addLast(element);
                model.addLast(element);
            }
            case 2 -> {
                list.push(element);
                model.push(element);
            }
            case 3 -> {
                list.offer(element);
                model.offer(element);
            }
            case 4 -> {
                List<String> several = words(random);
                list.addAll(several);
                model.addAll(several);
            }
            case 5 -> assertThat(list.pollFirst()).as(at).isEqualTo(model.pollFirst());
            case 6 -> assertThat(list.pollLast()).as(at).isEqualTo(model.pollLast());
            case 7 -> assertThat(list.poll()).as(at).isEqualTo(model.poll());
            case 8 -> assertThat(list.pop()).as(at).isEqualTo(model.poll());
            case 9 -> assertThat(list.peekFirst()).as(at).isEqualTo(model.peekFirst());
            case 10 -> assertThat(list.peekLast()).as(at).isEqualTo(model.peekLast());
            default -> assertThat(list.remove(element)).as(at).isEqualTo(model.removeFirstOccurrence(element));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void randomOperations_byIndex_answerAsThoseOfAList(long seed) {
        Random random = new Random(seed);
        RemoteList<String> list = list();
        List<String> model = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            operateByIndex(random, list, model, at(seed, step));
        }
        assertThat(list.toList()).as(at(seed, STEPS)).isEqualTo(model);
    }

    private static void operateByIndex(Random random, RemoteList<String> list, List<String> model, String at) {
        int index = random.nextInt(14) - 7;
        int from = random.nextInt(8);
        int to = from + random.nextInt(8);
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                List<String> several = words(random);
                list.addAll(several);
                model.addAll(several);
            }
            case 2 -> assertThat(list.get(index)).as(at).isEqualTo(elementAt(model, index));
            case 3 -> {
                if (elementAt(model, index) == null) {
                    assertThatThrownBy(() -> list.set(index, "new"))
                            .as(at)
                            .isInstanceOf(IndexOutOfBoundsException.class);
                } else {
                    list.set(index, "new");
                    model.set(Math.floorMod(index, model.size()), "new");
                }
            }
            case 4 -> assertThat(list.subList(from, to)).as(at).isEqualTo(part(model, from, to));
            default -> {
                if (random.nextInt(4) == 0) {
                    list.retain(from, to);
                    List<String> rest = part(model, from, to);
                    model.clear();
                    model.addAll(rest);
                }
            }
        }
    }

    private static @Nullable String elementAt(List<String> model, int index) {
        int counted = index < 0 ? model.size() + index : index;
        return counted >= 0 && counted < model.size() ? model.get(counted) : null;
    }

    private static List<String> part(List<String> model, int from, int to) {
        return new ArrayList<>(model.subList(Math.min(from, model.size()), Math.min(to, model.size())));
    }

    @Test
    void subList_thatEndsBeforeItBegins_isRefused() {
        assertThatThrownBy(() -> list().subList(2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> list().subList(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> list().retain(2, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void concurrentPolls_giveEachElementToOneOnly() {
        List<Integer> numbers = IntStream.range(0, 200).boxed().toList();
        RemoteList<Integer> queue = group.list("queue", Integer.class);
        queue.addAll(numbers);

        List<Integer> taken = Collections.synchronizedList(new ArrayList<>());
        InParallel.run(4, thread -> {
            for (Integer next = queue.poll(); next != null; next = queue.poll()) {
                taken.add(next);
            }
        });

        assertThat(taken).containsExactlyInAnyOrderElementsOf(numbers);
        assertThat(queue.exists()).isFalse();
    }

    @Test
    void take_ofWhatIsThere_doesNotWait() {
        list().addAll(List.of("a", "b", "c"));

        assertThat(list().takeFirst(Duration.ofSeconds(30))).isEqualTo("a");
        assertThat(list().takeLast(Duration.ofSeconds(30))).isEqualTo("c");
        assertThat(list().takeFirst(Duration.ZERO)).isEqualTo("b");
        assertThat(list().takeFirst(Duration.ofSeconds(-1))).isNull();
    }

    @Test
    void take_whileAnotherThreadAdds_getsAllThatWasAdded() {
        int count = 60;
        List<String> taken = Collections.synchronizedList(new ArrayList<>());
        InParallel.run(3, thread -> {
            if (thread == 0) {
                for (int i = 0; i < count; i++) {
                    list().addLast("e" + i);
                }
            } else {
                for (int i = 0; i < count / 2; i++) {
                    String element = list().takeFirst(Duration.ofSeconds(20));
                    taken.add(element == null ? "nothing" : element);
                }
            }
        });

        assertThat(taken)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, count).mapToObj(i -> "e" + i).toList());
    }
}
