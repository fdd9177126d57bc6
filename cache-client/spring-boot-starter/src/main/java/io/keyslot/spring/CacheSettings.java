// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.time.Duration;
import java.util.List;

/**
 * The settings of a cache as properties, for editors that complete {@code keyslot.caches.<name>}. Written by
 * ConfigurationMetadataTest; nothing implements it.
 */
interface CacheSettings {
    Duration getTtl();

    void setTtl(Duration value);

    String getExpiry();

    void setExpiry(String value);

    String getEntityType();

    void setEntityType(String value);

    String getGroupedBy();

    void setGroupedBy(String value);

    Boolean getIndexed();

    void setIndexed(Boolean value);

    String getKeyType();

    void setKeyType(String value);

    String getValueType();

    void setValueType(String value);

    String getCodec();

    void setCodec(String value);

    Encryption getEncryption();

    void setEncryption(Encryption value);

    Compression getCompression();

    void setCompression(Compression value);

    String getHashedKeys();

    void setHashedKeys(String value);

    String getLayout();

    void setLayout(String value);

    String getMissingPartition();

    void setMissingPartition(String value);

    String getMissingPartitionWrites();

    void setMissingPartitionWrites(String value);

    Gutter getGutter();

    void setGutter(Gutter value);

    Boolean getReadThrough();

    void setReadThrough(Boolean value);

    Boolean getWriteThrough();

    void setWriteThrough(Boolean value);

    String getLoader();

    void setLoader(String value);

    String getWriter();

    void setWriter(String value);

    Loading getLoading();

    void setLoading(Loading value);

    WriteBehind getWriteBehind();

    void setWriteBehind(WriteBehind value);

    String getEvents();

    void setEvents(String value);

    Feed getFeed();

    void setFeed(Feed value);

    String getReads();

    void setReads(String value);

    Duration getMaxStaleness();

    void setMaxStaleness(Duration value);

    Near getNear();

    void setNear(Near value);

    Boolean getStatistics();

    void setStatistics(Boolean value);

    Boolean getManagement();

    void setManagement(Boolean value);

    interface Encryption {
        String getKey();

        void setKey(String value);

        List<String> getPrevious();

        void setPrevious(List<String> value);
    }

    interface Compression {
        String getFrom();

        void setFrom(String value);

        String getDictionary();

        void setDictionary(String value);
    }

    interface Gutter {
        Duration getFor();

        void setFor(Duration value);
    }

    interface Loading {
        Duration getTimeout();

        void setTimeout(Duration value);

        Duration getPatience();

        void setPatience(Duration value);

        Duration getStaleWhileRevalidate();

        void setStaleWhileRevalidate(Duration value);

        Duration getStaleIfError();

        void setStaleIfError(Duration value);

        Duration getNegativeTtl();

        void setNegativeTtl(Duration value);

        Integer getBulkhead();

        void setBulkhead(Integer value);
    }

    interface WriteBehind {
        Duration getDelay();

        void setDelay(Duration value);

        Integer getQueue();

        void setQueue(Integer value);

        Integer getBatch();

        void setBatch(Integer value);

        Integer getAttempts();

        void setAttempts(Integer value);
    }

    interface Feed {
        Duration getKeep();

        void setKeep(Duration value);

        Integer getAtMost();

        void setAtMost(Integer value);

        Boolean getValues();

        void setValues(Boolean value);
    }

    interface Near {
        Integer getMaximumEntries();

        void setMaximumEntries(Integer value);

        String getMaximumSize();

        void setMaximumSize(String value);

        Duration getStaleness();

        void setStaleness(Duration value);

        String getValues();

        void setValues(String value);

        WhenMissing getWhenMissing();

        void setWhenMissing(WhenMissing value);

        interface WhenMissing {
            Duration getServe();

            void setServe(Duration value);
        }
    }
}
