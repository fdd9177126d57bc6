// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** What threads of several processes do, and what fails meanwhile; drawn from a seed. Immutable. */
record Program(Scenario scenario, List<Call> calls, List<Disturbance> disturbances) {
    private static final int FEWEST_CALLS = 4;
    private static final int MOST_CALLS = 12;
    private static final int MOST_DISTURBANCES = 5;

    /** The values of two calls are so far apart, because a call has one for each key. */
    private static final int VALUES_OF_A_CALL = 10;

    Program {
        calls = List.copyOf(calls);
        disturbances = List.copyOf(disturbances);
    }

    static Program draw(long seed) {
        Random random = new Random(seed);
        Scenario scenario = Scenario.draw(random, seed % 3 == 0);
        int threads = scenario.processes() * scenario.threads();
        List<Call> calls = new ArrayList<>();
        int count = FEWEST_CALLS + random.nextInt(MOST_CALLS - FEWEST_CALLS + 1);
        for (int i = 1; i <= count; i++) {
            calls.add(Call.draw(random, scenario, random.nextInt(threads), (long) i * VALUES_OF_A_CALL));
        }
        List<Disturbance> disturbances = new ArrayList<>();
        if (!scenario.isCalm()) {
            // One dropped connection costs no call; a storm of them may.
            int most = scenario.resets() ? 1 : random.nextInt(MOST_DISTURBANCES + 1);
            for (int i = 0; i < most; i++) {
                disturbances.add(Disturbance.draw(random, scenario, threads));
            }
        }
        return new Program(scenario, calls, disturbances);
    }

    Program withoutCall(int index) {
        List<Call> fewer = new ArrayList<>(calls);
        fewer.remove(index);
        return new Program(scenario, fewer, disturbances);
    }

    Program withoutDisturbance(int index) {
        List<Disturbance> fewer = new ArrayList<>(disturbances);
        fewer.remove(index);
        return new Program(scenario, calls, fewer);
    }

    boolean has(Call.Kind kind) {
        return calls.stream().anyMatch(call -> call.kind() == kind);
    }

    List<Call> of(int thread) {
        return calls.stream().filter(call -> call.thread() == thread).toList();
    }

    @Override
    public String toString() {
        return scenario
                + calls.stream().map(call -> "\n  " + call).collect(Collectors.joining())
                + disturbances.stream().map(each -> "\n  " + each).collect(Collectors.joining());
    }
}
