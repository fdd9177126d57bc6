// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.grid.jcache.Bucket4jJCache;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jcache.JCacheConstants;
import org.apache.camel.component.jcache.processor.aggregate.JCacheAggregationRepository;
import org.apache.camel.component.jcache.processor.idempotent.JCacheIdempotentRepository;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.support.DefaultExchangeHolder;
import org.apache.shiro.authc.AuthenticationInfo;
import org.apache.shiro.authc.AuthenticationToken;
import org.apache.shiro.authc.SimpleAuthenticationInfo;
import org.apache.shiro.authc.UsernamePasswordToken;
import org.apache.shiro.authz.AuthorizationInfo;
import org.apache.shiro.authz.SimpleAuthorizationInfo;
import org.apache.shiro.authz.permission.WildcardPermission;
import org.apache.shiro.cache.jcache.JCacheManager;
import org.apache.shiro.mgt.DefaultSecurityManager;
import org.apache.shiro.realm.AuthorizingRealm;
import org.apache.shiro.session.Session;
import org.apache.shiro.session.mgt.DefaultSessionManager;
import org.apache.shiro.session.mgt.eis.EnterpriseCacheSessionDAO;
import org.apache.shiro.subject.PrincipalCollection;
import org.apache.shiro.subject.Subject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Four libraries, each as its manual says. The subclasses say which engine holds the caches. */
@SuppressWarnings("NullAway.Init") // set before all tests
abstract class LibraryScenarios {
    private static final int CALLERS = 8;

    private static CacheManager one;
    /** With connections of its own, as in another process; the same on the embedded engine. */
    private static CacheManager other;

    static void use(URI first, URI second) {
        one = open(first);
        other = open(second);
    }

    private static CacheManager open(URI configuration) {
        return Caching.getCachingProvider().getCacheManager(configuration, LibraryScenarios.class.getClassLoader());
    }

    @AfterAll
    static void closeManagers() {
        one.close();
        other.close();
    }

    private static <K, V> Cache<K, V> cache(CacheManager manager, String name, Class<K> keys, Class<V> values) {
        Cache<K, V> existing = manager.getCache(name, keys, values);
        return existing != null
                ? existing
                : manager.createCache(name, new MutableConfiguration<K, V>().setTypes(keys, values));
    }

    @Test
    void bucket4j_letsNoMoreThroughThanTheBucketHas() throws Exception {
        Bucket here = bucket(one, "busy");
        Bucket there = bucket(other, "busy");

        List<Boolean> consumed = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            consumed.addAll(atOnce(() -> here.tryConsume(1), () -> there.tryConsume(1)));
        }

        assertThat(consumed)
                .hasSize(5 * CALLERS)
                .filteredOn(Boolean::booleanValue)
                .hasSize(20);
    }

    @Test
    void bucket4j_readsWhatIsLeft_andForgetsABucket() {
        ProxyManager<String> buckets = buckets(one);
        Bucket bucket = bucket(one, "left");
        bucket.tryConsume(5);
        ConsumptionProbe probe = bucket(other, "left").tryConsumeAndReturnRemaining(1);

        assertThat(probe.getRemainingTokens()).isEqualTo(14);
        buckets.removeProxy("left");
        assertThat(bucket(one, "left").getAvailableTokens()).isEqualTo(20);
    }

    private static ProxyManager<String> buckets(CacheManager manager) {
        return Bucket4jJCache.entryProcessorBasedBuilder(cache(manager, "buckets", String.class, byte[].class))
                .build();
    }

    private static Bucket bucket(CacheManager manager, String name) {
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(20).refillIntervally(20, Duration.ofHours(1)))
                .build();
        return buckets(manager).getProxy(name, () -> configuration);
    }

    @Test
    void resilience4j_callsTheSupplierOnce() throws Throwable {
        AtomicInteger calls = new AtomicInteger();
        for (CacheManager manager : List.of(one, other)) {
            io.github.resilience4j.cache.Cache<String, Order> cache =
                    io.github.resilience4j.cache.Cache.of(cache(manager, "orders", String.class, Order.class));

            Order order = cache.computeIfAbsent("o1", () -> new Order("o1", calls.incrementAndGet()));

            assertThat(order).isEqualTo(new Order("o1", 1));
        }
        assertThat(calls).hasValue(1);
    }

    @Test
    void camel_putsAndGets() throws Exception {
        cache(one, "exchange", Object.class, Object.class);
        try (CamelContext context = camel()) {
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("direct:cache").to("jcache://exchange?configurationUri=" + one.getURI());
                }
            });
            context.start();
            Order order = new Order("o7", 7);

            send(context, JCacheConstants.ACTION, "PUT", JCacheConstants.KEY, "o7", order);

            assertThat(send(context, JCacheConstants.ACTION, "GET", JCacheConstants.KEY, "o7", "nothing"))
                    .isEqualTo(order);
            send(context, JCacheConstants.ACTION, "REMOVE", JCacheConstants.KEY, "o7", "nothing");
            assertThat(cache(one, "exchange", Object.class, Object.class).get("o7"))
                    .isNull();
        }
    }

    private static Object send(
            CamelContext context, String header, String action, String keyHeader, String key, Object body) {
        return context.createProducerTemplate()
                .requestBodyAndHeaders("direct:cache", body, Map.of(header, action, keyHeader, key));
    }

    private static CamelContext camel() {
        DefaultCamelContext context = new DefaultCamelContext();
        context.disableJMX();
        return context;
    }

    @Test
    void camel_acceptsAMessageOnce() throws Exception {
        try (CamelContext context = camel()) {
            JCacheIdempotentRepository here = new JCacheIdempotentRepository();
            here.setCamelContext(context);
            here.setCache(cache(one, "seen", String.class, Boolean.class));
            JCacheIdempotentRepository there = new JCacheIdempotentRepository();
            there.setCamelContext(context);
            there.setCache(cache(other, "seen", String.class, Boolean.class));

            assertThat(here.add("m1")).isTrue();
            assertThat(there.add("m1")).isFalse();
            assertThat(there.contains("m1")).isTrue();
            assertThat(here.remove("m1")).isTrue();
            assertThat(there.add("m1")).isTrue();
        }
    }

    @Test
    void camel_keepsWhatItAggregates() throws Exception {
        try (CamelContext context = camel()) {
            JCacheAggregationRepository here = aggregation(context, one);
            JCacheAggregationRepository there = aggregation(context, other);
            DefaultExchange exchange = new DefaultExchange(context);
            exchange.getIn().setBody(new ArrayList<>(List.of(new Order("a", 1), new Order("b", 2))));
            exchange.getIn().setHeader("count", 2);
            exchange.setProperty("failed", new IOException("is a value, too"));

            here.add(context, "group", exchange);

            assertThat(there.getKeys()).containsExactly("group");
            assertThat(there.get(context, "group").getIn().getBody())
                    .isEqualTo(List.of(new Order("a", 1), new Order("b", 2)));
            assertThat(there.get(context, "group").getIn().getHeader("count")).isEqualTo(2);
            there.remove(context, "group", exchange);
            assertThat(here.getKeys()).isEmpty();
        }
    }

    private static JCacheAggregationRepository aggregation(CamelContext context, CacheManager manager)
            throws Exception {
        JCacheAggregationRepository repository = new JCacheAggregationRepository();
        repository.setCamelContext(context);
        repository.setAllowSerializedHeaders(true);
        repository.setCache(cache(manager, "aggregated", String.class, DefaultExchangeHolder.class));
        repository.start();
        return repository;
    }

    @Test
    void shiro_keepsSessionsAndRights() {
        Users usersHere = new Users();
        Users usersThere = new Users();
        DefaultSecurityManager here = security(one, usersHere);
        DefaultSecurityManager there = security(other, usersThere);

        Subject anna = new Subject.Builder(here).buildSubject();
        anna.login(new UsernamePasswordToken("anna", "secret"));
        anna.getSession().setAttribute("order", new Order("o1", 3));
        assertThat(anna.hasRole("buyer")).isTrue();
        assertThat(anna.isPermitted("order:read:7")).isTrue();

        Serializable id = anna.getSession().getId();
        Subject again = new Subject.Builder(there).sessionId(id).buildSubject();
        Session session = again.getSession(false);
        assertThat(session.getAttribute("order")).isEqualTo(new Order("o1", 3));
        assertThat(again.isAuthenticated()).isTrue();
        assertThat(again.getPrincipal()).isEqualTo("anna");
        assertThat(again.hasRole("buyer")).isTrue();
        assertThat(again.isPermitted("order:delete:7")).isFalse();

        assertThat(usersHere.authorizations() + usersThere.authorizations()).isEqualTo(1);
        again.logout();
        Subject gone = new Subject.Builder(here).sessionId(id).buildSubject();
        assertThat(gone.isAuthenticated()).isFalse();
    }

    private static DefaultSecurityManager security(CacheManager manager, Users users) {
        for (String name : List.of("sessions", "rights")) {
            cache(manager, name, Object.class, Object.class);
        }
        JCacheManager caches = new JCacheManager();
        caches.setCacheManager(manager);
        users.setCacheManager(caches);
        EnterpriseCacheSessionDAO stored = new EnterpriseCacheSessionDAO();
        stored.setActiveSessionsCacheName("sessions");
        stored.setCacheManager(caches);
        DefaultSessionManager sessions = new DefaultSessionManager();
        sessions.setSessionDAO(stored);
        sessions.setSessionValidationSchedulerEnabled(false);
        DefaultSecurityManager security = new DefaultSecurityManager(users);
        security.setSessionManager(sessions);
        return security;
    }

    @SafeVarargs
    private static <T> List<T> atOnce(Callable<T>... calls) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Callable<T>> all = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                all.add(calls[i % calls.length]);
            }
            List<T> results = new ArrayList<>();
            for (Future<T> result : executor.invokeAll(all, 1, TimeUnit.MINUTES)) {
                results.add(Objects.requireNonNull(result.get()));
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    record Order(String id, int amount) implements Serializable {}

    /** The users of an application that uses Shiro, with a cache of rights. */
    private static final class Users extends AuthorizingRealm {
        private final AtomicInteger authorizations = new AtomicInteger();

        Users() {
            setName("users");
            setAuthorizationCachingEnabled(true);
            setAuthorizationCacheName("rights");
        }

        /** A collection of principals cannot be a key: read back from its bytes, it does not equal itself. */
        @Override
        protected Object getAuthorizationCacheKey(PrincipalCollection principals) {
            return principals.getPrimaryPrincipal();
        }

        /** Returns how often the database was asked for rights. */
        int authorizations() {
            return authorizations.get();
        }

        @Override
        protected AuthorizationInfo doGetAuthorizationInfo(PrincipalCollection principals) {
            authorizations.incrementAndGet();
            SimpleAuthorizationInfo rights = new SimpleAuthorizationInfo(Set.of("buyer"));
            rights.addStringPermission("order:read:*");
            rights.addObjectPermission(new WildcardPermission("cart:*"));
            return rights;
        }

        @Override
        protected AuthenticationInfo doGetAuthenticationInfo(AuthenticationToken token) {
            return new SimpleAuthenticationInfo(token.getPrincipal(), "secret", getName());
        }
    }
}
