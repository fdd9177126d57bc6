// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.slot.SlotSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The main class of a process of the application. It is told by lines on standard input what is going on: {@code phase NAME SLOTS},
 * {@code end}; and answers with {@code ready}, and in the end with what it has counted.
 */
final class LoadMain {
    private LoadMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int jvm = Integer.parseInt(arguments[0]);
        LoadOptions options = LoadOptions.parse(Arrays.asList(arguments).subList(1, arguments.length));
        Tally tally = new Tally();
        try (LoadCaches caches = LoadCaches.open(options, "load" + jvm);
                BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Load load = new Load(options, jvm, caches, tally);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < options.threads(); i++) {
                Thread thread = new Thread(load.new Worker(i), "load-" + i);
                thread.setUncaughtExceptionHandler(
                        (failed, failure) -> tally.complain("failed", failed.getName() + ": " + failure));
                threads.add(thread);
                thread.start();
            }
            System.out.println("ready");
            for (String line = told.readLine(); line != null && !line.equals("end"); line = told.readLine()) {
                String[] words = line.split(" ", -1);
                load.phase(words[1], words[2].equals("-") ? SlotSet.none() : SlotSet.parse(words[2]));
            }
            load.end();
            for (Thread thread : threads) {
                thread.join();
            }
            tally.lines().forEach(System.out::println);
            System.out.println("done");
        }
    }
}
