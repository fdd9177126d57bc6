// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.StringReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.cache.Cache;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A ratchet: the types, packages and methods of ours that the thread of a call enters, for a hit on a server after some calls, counted by a
 * debugger. No figure may exceed the one in {@code src/test/trace.txt}.
 */
@SideBySide
class CallTraceIT {
    private static final Path EXPECTED = Path.of("src", "test", "trace.txt");
    private static final String RENEW = "keyslot.trace.renew";
    private static final String RENEWAL = "./mvnw -pl cache-cluster -am verify -Dit.test=CallTraceIT -Dtest=none"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false -D" + RENEW + "=true";

    /** A stop in the list of the page about a get. */
    private static final Pattern STOP = Pattern.compile("(?m)^\\d\\. `(\\w+)`");

    private static final SortedMap<String, Long> traced = new TreeMap<>();
    private static final Set<String> typesOfGet = new LinkedHashSet<>(); // in the order in which they are first entered

    @BeforeAll
    static void trace() throws Exception {
        try (LocalServers servers = TestServers.none()) {
            trace("redis://127.0.0.1:" + servers.start().port());
        }
    }

    @Test
    void get_hasTheStopsOfTheDocument() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "contributing", "architecture.md"));
        List<String> stops =
                STOP.matcher(document).results().map(stop -> stop.group(1)).toList();

        assertThat(stops).hasSize(7);
        assertThat(List.copyOf(typesOfGet)).containsSubsequence(stops);
    }

    @Test
    void noCallGoesThroughMore() throws Exception {
        if (Boolean.getBoolean(RENEW)) {
            List<String> lines = new ArrayList<>(List.of("# No figure may rise. Written by", "# " + RENEWAL));
            traced.forEach((figure, number) -> lines.add(figure + " = " + number));
            Files.write(EXPECTED, lines);
        }
        Map<String, Long> expected = Files.readAllLines(EXPECTED).stream()
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(" = ")),
                        line -> Long.valueOf(line.substring(line.indexOf(" = ") + " = ".length()))));
        assertThat(traced.keySet()).isEqualTo(expected.keySet());
        assertThat(traced.entrySet().stream()
                        .filter(figure ->
                                figure.getValue() > most(figure.getKey(), expected.getOrDefault(figure.getKey(), 0L)))
                        .map(figure -> "%s: %d, at most %d"
                                .formatted(
                                        figure.getKey(),
                                        figure.getValue(),
                                        expected.getOrDefault(figure.getKey(), 0L))))
                .as("If a figure has to rise, say why in the commit, and renew the file: %s", RENEWAL)
                .isEmpty();
    }

    /** A call may be made once more behind a reply that is late. */
    private static long most(String figure, long expected) {
        return figure.endsWith("entries") ? expected + expected / 20 : expected;
    }

    private static void trace(String server) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        Objects.requireNonNull(arguments.get("main")).setValue(Program.class.getName() + " " + server);
        Objects.requireNonNull(arguments.get("options"))
                .setValue("-XX:TieredStopAtLevel=1 -cp \"" + System.getProperty("java.class.path") + "\"");
        VirtualMachine machine = connector.launch(arguments);
        machine.process().getErrorStream().close();
        machine.process().getInputStream().close();
        EventRequestManager requests = machine.eventRequestManager();
        ClassPrepareRequest prepared = requests.createClassPrepareRequest();
        prepared.addClassFilter(Program.class.getName());
        prepared.enable();
        Call call = new Call(requests);
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    call.on(event);
                }
                events.resume();
            }
        } catch (VMDisconnectedException e) {
            // The program has ended.
        }
    }

    /** What is entered between {@code begin} and {@code end}. */
    private static final class Call {
        private final EventRequestManager requests;
        private final Set<String> types = new HashSet<>();
        private final Set<String> packages = new HashSet<>();
        private long entries;
        private String name = "";

        Call(EventRequestManager requests) {
            this.requests = requests;
        }

        void on(Event event) throws Exception {
            if (event instanceof ClassPrepareEvent prepared) {
                for (String method : List.of("begin", "end")) {
                    BreakpointRequest mark = requests.createBreakpointRequest(prepared.referenceType()
                            .methodsByName(method)
                            .get(0)
                            .location());
                    mark.putProperty("mark", method);
                    mark.enable();
                }
            } else if (event instanceof BreakpointEvent mark) {
                requests.deleteEventRequests(List.copyOf(requests.methodEntryRequests()));
                if (mark.request().getProperty("mark").equals("begin")) {
                    begin(mark);
                } else {
                    traced.merge(name + ": types", (long) types.size(), Math::min);
                    traced.merge(name + ": packages", (long) packages.size(), Math::min);
                    traced.merge(name + ": method entries", entries, Math::min);
                }
            } else if (event instanceof MethodEntryEvent entered) {
                String type = entered.method().declaringType().name();
                int nested = type.indexOf('$');
                String outer = nested < 0 ? type : type.substring(0, nested);
                types.add(outer);
                if (name.equals("get")) {
                    typesOfGet.add(outer.substring(outer.lastIndexOf('.') + 1));
                }
                packages.add(type.substring(0, type.lastIndexOf('.')));
                entries++;
            }
        }

        private void begin(BreakpointEvent mark) throws Exception {
            name = ((StringReference) mark.thread().frame(0).getArgumentValues().get(0)).value();
            types.clear();
            packages.clear();
            entries = 0;
            MethodEntryRequest all = requests.createMethodEntryRequest();
            all.addClassFilter("io.keyslot.*");
            all.addClassExclusionFilter(CallTraceIT.class.getName() + "*");
            all.addThreadFilter(mark.thread());
            all.setSuspendPolicy(EventRequest.SUSPEND_NONE);
            all.enable();
        }
    }

    /** Calls each operation some times, and then once between marks. */
    public static final class Program {
        private static final int CALLS_BEFORE = 20;

        /** The least figure of these counts: now and then a reply is late, or a thing is due that is done once a second. */
        private static final int ROUNDS = 10;

        private Program() {}

        @SuppressWarnings("UnusedVariable") // It keeps the marks from being the same.
        private static volatile String mark = "";

        static void begin(String operation) {
            mark = operation;
        }

        static void end(String operation) {
            mark = operation;
        }

        public static void main(String[] arguments) {
            Properties properties = new Properties();
            properties.putAll(KeyslotManagers.LONG_DEADLINES);
            properties.setProperty("keyslot.partitions", arguments[0]);
            Cache<Long, String> cache = Caching.getCachingProvider()
                    .getCacheManager(URI.create("trace"), Program.class.getClassLoader(), properties)
                    .createCache(
                            "customer", new MutableConfiguration<Long, String>().setTypes(Long.class, String.class));
            Map<Long, String> many =
                    LongStream.range(0, 10).boxed().collect(Collectors.toMap(key -> key, key -> "Ada " + key));
            SortedMap<String, Runnable> operations = new TreeMap<>(Map.of(
                    "get", () -> cache.get(99L),
                    "put", () -> cache.put(99L, "Ada"),
                    "getAll", () -> cache.getAll(many.keySet()),
                    "putAll", () -> cache.putAll(many),
                    "invoke",
                            () -> cache.invoke(99L, (entry, unused) -> {
                                entry.setValue("Ada " + entry.getValue().length());
                                return true;
                            })));
            cache.put(99L, "Ada");
            for (int i = 0; i < CALLS_BEFORE; i++) {
                operations.values().forEach(Runnable::run);
            }
            for (int i = 0; i < ROUNDS; i++) {
                operations.forEach((name, operation) -> {
                    begin(name);
                    operation.run();
                    end(name);
                });
            }
            Runtime.getRuntime().halt(0);
        }
    }
}
