// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two managers on the same servers, as two applications have them. */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class TwoManagersIT {
    private TestServers servers;
    private CacheManager first;
    private CacheManager second;
    private Cache<String, String> ofFirst;
    private Cache<String, String> ofSecond;

    @BeforeEach
    void open() {
        servers = TestServers.start(3);
        first = KeyslotManagers.open("first", servers.uris(), KeyslotManagers.LONG_DEADLINES);
        second = KeyslotManagers.open("second", servers.uris(), KeyslotManagers.LONG_DEADLINES);
        ofFirst = create(first);
        ofSecond = create(second);
    }

    @AfterEach
    void close() throws Exception {
        first.close();
        second.close();
        servers.close();
    }

    @Test
    void entryOfOneManager_isSeenByTheOther() {
        ofFirst.put("k", "v");
        assertThat(ofSecond.get("k")).isEqualTo("v");
        ofSecond.remove("k");
        assertThat(ofFirst.containsKey("k")).isFalse();
    }

    @Test
    void closingAManager_leavesTheEntriesToTheOther() {
        ofFirst.put("k", "v");
        first.close();
        assertThat(ofSecond.get("k")).isEqualTo("v");
    }

    @Test
    void cacheDestroyedByOneManager_isEmptyForTheOther() {
        ofFirst.put("k", "v");
        first.destroyCache("shared");
        assertThat(ofSecond).isEmpty();
        ofSecond.put("k", "w");
        assertThat(create(first).get("k")).isEqualTo("w");
    }

    private static Cache<String, String> create(CacheManager manager) {
        return manager.createCache(
                "shared", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
    }
}
