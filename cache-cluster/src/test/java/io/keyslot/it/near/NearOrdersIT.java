// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process reads an entry, writes it, and is told that another process has written it. The server does the three in each of
 * six orders, and says so in this order, since there is one connection; a proxy keeps what it says until all three are done.
 * Then it comes piece by piece, or all at once: then whoever reads the connection has seen the last of it before the threads
 * that wait for the first can do anything.
 *
 * <pre>
 * reply  told   own      what was read is void, by the message
 * reply  own    told     what was read is void, by the own write
 * told   reply  own      the message is about what another thread had read before; what was read is void, by the own write
 * told   own    reply    as before; what was read is the newest
 * own    reply  told     what was read is the own write, and void, by the message
 * own    told   reply    what was read is the newest
 * </pre>
 *
 * <p>Whichever it is: what the process finds afterwards is what the server has. A server tells of a key once after it was read;
 * so if the own write comes between the read and the write of the other process, the message is about the own write.
 */
@SideBySide
@SuppressWarnings("NullAway.Init") // set before each test
class NearOrdersIT {
    private static final String KEY = "the-entry";
    private static final String ANOTHER = "another";
    private static final long BEFORE = 1;
    private static final long OWN = 2;
    private static final long OF_OTHERS = 3;
    private static final Duration STALENESS = Duration.ofSeconds(30);

    /** What the server does, and says. */
    enum Event {
        REPLY,
        TOLD,
        OWN
    }

    /** By which call the entry is read. */
    enum ReadBy {
        GET {
            @Override
            @Nullable
            Long read(Cache<String, Long> cache) {
                return cache.get(KEY);
            }
        },
        GET_ALL {
            @Override
            @Nullable
            Long read(Cache<String, Long> cache) {
                return cache.getAll(Set.of(KEY, ANOTHER)).get(KEY);
            }
        };

        abstract @Nullable Long read(Cache<String, Long> cache);
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<List<RespProxy.Said>> said = new ArrayList<>();
    private final List<Future<?>> calls = new ArrayList<>();
    private boolean isTracked;
    private TestServers servers;
    private RespProxy proxy;
    private CacheManager reading;
    private CacheManager writing;
    private Cache<String, Long> near;
    private Cache<String, Long> other;

    @BeforeEach
    void open() throws IOException {
        servers = TestServers.start(1);
        proxy = new RespProxy(servers.ports().get(0));
        reading = NearCaches.open("reader", List.of(proxy.uri()), KeyslotManagers.LONG_DEADLINES);
        writing = NearCaches.open("writer", servers.uris(), KeyslotManagers.LONG_DEADLINES);
        near = NearCaches.near(reading, Duration.ZERO, STALENESS);
        other = NearCaches.plain(writing, Duration.ZERO);
        other.put(KEY, BEFORE);
        other.put(ANOTHER, BEFORE);
        awaitNear();
    }

    /** A connection tells of changes soon after it was made. */
    private void awaitNear() {
        await().until(() -> {
            near.get(ANOTHER);
            proxy.hold();
            try {
                return isAnsweredNear(ANOTHER);
            } finally {
                proxy.release();
            }
        });
    }

    private boolean isAnsweredNear(String key) throws Exception {
        Future<Long> answer = threads.submit(() -> near.get(key));
        try {
            answer.get(200, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false; // it waits for the server, whose answer is kept
        }
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdown();
        reading.close();
        writing.close();
        proxy.close();
        servers.close();
    }

    @Test
    void copy_isServedUntilItsMessageIsRead() throws Exception {
        assertThat(near.get(KEY)).isEqualTo(BEFORE);
        proxy.hold();
        other.put(KEY, OF_OTHERS);
        proxy.awaitSaid(something -> something.isPushOf(KEY), KEY);

        assertThat(isAnsweredNear(KEY)).isTrue();
        assertThat(near.get(KEY)).isEqualTo(BEFORE);

        proxy.release();
        await().until(() -> near.get(KEY) == OF_OTHERS);
        assertThat(near.get(KEY)).isEqualTo(OF_OTHERS);
    }

    @Test
    void ownWrite_isFoundAtOnce_whateverIsOnItsWay() throws Exception {
        assertThat(near.get(KEY)).isEqualTo(BEFORE);
        proxy.holdFrom(something -> something.isPushOf(KEY));

        near.put(KEY, OWN);
        proxy.awaitSaid(something -> something.isPushOf(KEY), KEY);

        assertThat(isAnsweredNear(KEY)).isFalse();
        proxy.release();
        assertThat(near.get(KEY)).isEqualTo(OWN);
    }

    static Stream<Arguments> orders() {
        List<List<Event>> orders = List.of(
                List.of(Event.REPLY, Event.TOLD, Event.OWN),
                List.of(Event.REPLY, Event.OWN, Event.TOLD),
                List.of(Event.TOLD, Event.REPLY, Event.OWN),
                List.of(Event.TOLD, Event.OWN, Event.REPLY),
                List.of(Event.OWN, Event.REPLY, Event.TOLD),
                List.of(Event.OWN, Event.TOLD, Event.REPLY));
        return orders.stream()
                .flatMap(order -> Stream.of(ReadBy.values())
                        .flatMap(readBy -> Stream.of(false, true).map(atOnce -> Arguments.of(order, readBy, atOnce))));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void whatIsFoundAfterwards_isWhatTheServerHas(List<Event> order, ReadBy readBy, boolean isAtOnce) throws Exception {
        proxy.hold();
        if (order.indexOf(Event.TOLD) < order.indexOf(Event.REPLY)) {
            reads(ReadBy.GET); // or there would be nothing to tell of
        }

        long last = BEFORE;
        for (Event event : order) {
            last = happens(event, readBy, last);
        }
        deliver(isAtOnce);

        assertThat(near.get(KEY)).isEqualTo(last);
        assertThat(near.get(KEY)).isEqualTo(last);
        assertThat(near.getAll(Set.of(KEY, ANOTHER))).containsEntry(KEY, last);
    }

    private long happens(Event event, ReadBy readBy, long last) throws Exception {
        switch (event) {
            case REPLY -> reads(readBy);
            case OWN -> {
                writes();
                return OWN;
            }
            case TOLD -> {
                other.put(KEY, OF_OTHERS);
                isPublished();
                return OF_OTHERS;
            }
        }
        return last;
    }

    private void reads(ReadBy readBy) throws Exception {
        calls.add(threads.submit(() -> readBy.read(near)));
        proxy.awaitSaid(something -> something.isReplyAbout(KEY), KEY);
        said.add(proxy.take());
        isTracked = true;
    }

    private void writes() throws Exception {
        calls.add(threads.submit(() -> near.put(KEY, OWN)));
        proxy.awaitSaid(something -> something.isReplyAbout(KEY), KEY);
        if (isTracked) {
            isPublished();
        } else {
            said.add(proxy.take());
        }
    }

    /** The reply of an own write, and what is told of it behind, are two things. */
    private void isPublished() throws Exception {
        if (isTracked) {
            proxy.awaitSaid(something -> something.isPushOf(KEY), KEY);
            proxy.take().forEach(next -> said.add(List.of(next)));
            isTracked = false;
        }
    }

    private void deliver(boolean isAtOnce) throws Exception {
        said.add(proxy.take());
        if (isAtOnce) {
            proxy.deliver(said.stream().flatMap(List::stream).toList());
        } else {
            for (List<RespProxy.Said> next : said) {
                proxy.deliver(next);
            }
        }
        proxy.release();
        for (Future<?> call : calls) {
            call.get(20, TimeUnit.SECONDS);
        }
    }
}
